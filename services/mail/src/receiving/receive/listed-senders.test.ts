import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { txt } from '../../formats/authenticity/testing/zone.ts'
import type { PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { createLocalDelivery } from './local.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
  for (const name of ['good.example', 'bulk.example']) ground.zone[`TXT ${name}`] = txt('v=spf1 ip4:127.0.0.1 -all')
})
after(() => ground.close())

let boxes = 0
const newBox = (): Promise<PlantedAddress> => ground.address(`bob@listed-${++boxes}.test`)

type Owner = { address_id?: string; domain_id?: string }
const list = (owner: Owner, action: 'allow' | 'block', pattern: string) =>
  ground.database.tx((tx) =>
    tx
      .insertInto('listed_sender')
      .values({
        id: newId(),
        address_id: null,
        domain_id: null,
        ...owner,
        pattern,
        action,
        created_at: ground.clock.now(),
      })
      .execute(),
  )

/** Over the threshold by its content. */
const SPAM = 'Dear winner, you have won the lottery! Claim your prize: send your bank account and password now!!!\r\n'
const from = (author: string, text?: string) => plainMessage({ From: author, To: 'bob@listed.test' }, text)
const received = async (box: PlantedAddress, message: string, sender = 'ann@good.example') => {
  const answer = await ground.send({ from: sender, to: box.email, message })
  assert.equal(answer.code, 250, answer.text)
  const mail = (await ground.mails(box)).at(-1) ?? assert.fail('nothing came')
  const line = (await ground.activity(box)).at(-1)
  return {
    folder: mail.folders.join(),
    keywords: mail.keywords,
    status: mail.prefix,
    type: line?.type,
    why: line?.result,
  }
}

describe('a blocked sender', () => {
  for (const [what, pattern, sender] of [
    ['by the address of the author', 'ann@good.example', 'x@bulk.example'],
    ['by the domain of the author', '@good.example', 'x@bulk.example'],
    ['by the sender of the envelope', 'x@bulk.example', 'x@bulk.example'],
  ] as const)
    test(`${what} is in Junk, and the trace and the header say why`, async () => {
      const box = await newBox()
      await list({ address_id: box.id }, 'block', pattern)
      const mail = await received(box, from('Ann <Ann@good.example>'), sender)
      assert.deepEqual([mail.folder, mail.keywords, mail.type], ['Junk', ['$junk'], 'spam'])
      assert.equal(mail.why, `junk: the sender list of the mailbox blocks ${pattern}`)
      assert.match(mail.status, /X-Spam-Status: Yes[\s\S]*blocked_sender=10/)
      assert.equal((await received(box, from('eve@other.example'), 'eve@other.example')).folder, 'Inbox')
      await ground.check(box)
    })

  test('is in Junk whatever a filter would file it under, unless the filter throws it away', async () => {
    const box = await newBox()
    await list({ address_id: box.id }, 'block', '@good.example')
    await ground.script(box, 'require ["fileinto", "copy"]; fileinto :copy "Archive"; keep;')
    assert.deepEqual((await received(box, from('ann@good.example'))).folder, 'Junk')
    const other = await newBox()
    await list({ address_id: other.id }, 'block', '@good.example')
    await ground.script(other, 'discard;')
    await ground.send({ from: 'ann@good.example', to: other.email, message: from('ann@good.example') })
    assert.deepEqual(await ground.mails(other), [])
  })

  test('is blocked in mail of our own queue, too', async () => {
    const box = await newBox()
    await list({ domain_id: box.domainId }, 'block', 'ann@ours.test')
    const bytes = Buffer.from(from('ann@ours.test'))
    const blob = await ground.parts.blobs.put(bytes, { maxBytes: 10_000 })
    const { deliverLocal } = createLocalDelivery(ground.parts)
    const { id: addressId, accountId, domainId, email } = box
    const answer = await deliverLocal({
      route: { kind: 'mailbox', addressId, accountId, domainId, email, detail: null, via: 'address' },
      recipient: box.email,
      source: 'submission',
      queueMessageId: newId(),
      blob,
      prefix: Buffer.alloc(0),
      returnPath: 'ann@ours.test',
    })
    assert.deepEqual(answer, { ok: true })
    const [mail] = await ground.mails(box)
    assert.deepEqual(mail?.folders, ['Junk'])
    assert.equal((await ground.activity(box))[0]?.result, 'junk: the sender list of the domain blocks ann@ours.test')
  })
})

describe('an allowed sender', () => {
  test('is in the inbox whatever the score, when the author is authenticated, and the trace says so', async () => {
    const box = await newBox()
    const spam = from('Ann <ann@good.example>', SPAM)
    await ground.database.pool.query('update address set spam_threshold = 0.5 where id = $1', [box.id])
    assert.equal((await received(box, spam)).folder, 'Junk')
    await list({ address_id: box.id }, 'allow', '@good.example')
    const mail = await received(box, from('Ann <ann@good.example>', SPAM))
    assert.deepEqual([mail.folder, mail.type], ['Inbox', 'received'])
    assert.equal(mail.why, 'inbox: the sender list of the mailbox allows @good.example')
    assert.match(mail.status, /X-Spam-Status: No[\s\S]*allowed_sender=-10/)
    // Anybody can write that name.
    const forged = await received(box, from('Ann <ann@good.example>', SPAM), 'eve@bulk.example')
    assert.deepEqual([forged.folder, forged.type], ['Junk', 'spam'])
    assert.doesNotMatch(forged.why ?? '', /allows/)
  })
})

describe('the lists of mailbox, domain and instance', () => {
  test('count in this order, and only where they belong', async () => {
    const box = await newBox()
    const neighbour = await ground.address(`eve@listed-${boxes}.test`)
    const stranger = await newBox()
    const folders = async () =>
      Promise.all(
        [box, neighbour, stranger].map(async (each) => (await received(each, from('ann@good.example'))).folder),
      )
    assert.deepEqual(await folders(), ['Inbox', 'Inbox', 'Inbox'])
    await list({}, 'block', 'ann@good.example')
    assert.deepEqual(await folders(), ['Junk', 'Junk', 'Junk'])
    await list({ domain_id: box.domainId }, 'allow', '@good.example')
    assert.deepEqual(await folders(), ['Inbox', 'Inbox', 'Junk'])
    await list({ address_id: box.id }, 'block', '@good.example')
    assert.deepEqual(await folders(), ['Junk', 'Inbox', 'Junk'])
    await ground.database.pool.query('delete from listed_sender')
    assert.deepEqual(await folders(), ['Inbox', 'Inbox', 'Inbox'])
  })

  test('cost a delivery no statement while they are empty, and one when they are not', async () => {
    const box = await newBox()
    const count = async () => {
      const watch = ground.database.watchStatements()
      await received(box, from('ann@good.example'))
      watch.stop()
      return watch.texts.filter((text) => text.includes('from listed_sender') && !text.includes('from address')).length
    }
    assert.equal(await count(), 0)
    await list({ address_id: box.id }, 'block', 'nobody@else.example')
    assert.equal(await count(), 1)
  })
})
