import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { sealMessage } from 'mailauth/lib/arc/index.js'
import { newKey, signed, txt } from '../../formats/authenticity/testing/zone.ts'
import type { PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import type { RecordState } from '../../tables/dns.ts'
import { findSpoofedDomain } from './spoofing.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
const key = newKey()
before(async () => {
  ground = await startReceiving()
  ground.zone['TXT seal._domainkey.forwarder.example'] = txt(key.record)
  ground.zone['TXT seal._domainkey.stranger.example'] = txt(key.record)
  ground.zone['TXT s1._domainkey.letters.example'] = txt(key.record)
})
after(() => ground.close())

let domains = 0
/** A mailbox at a domain of its own, whose SPF and DKIM records were seen. */
const newBox = async (): Promise<{ box: PlantedAddress; domain: string }> => {
  const domain = `spoofed-${++domains}.com`
  const box = await ground.address(`bob@${domain}`)
  await setRecords(box, 'verified', 'verified')
  return { box, domain }
}
const setRecords = async ({ domainId }: PlantedAddress, spf: RecordState['status'], dkim: RecordState['status']) => {
  const state = (status: RecordState['status']) => ({
    status,
    found: [],
    message: null,
    checkedAt: '',
    verifiedAt: null,
  })
  const records = { 'SPF TXT @': state(spf), 'DKIM TXT s1._domainkey': state(dkim) }
  await ground.database.pool.query('update dns_check set records = $2 where domain_id = $1', [domainId, records])
}
const forged = (domain: string) => plainMessage({ From: `The boss <boss@${domain}>` })
const received = async (box: PlantedAddress, message: string | Buffer, from = 'eve@elsewhere.example') => {
  const answer = await ground.send({ from, to: box.email, message })
  assert.equal(answer.code, 250, answer.text)
  return (await ground.mails(box)).at(-1) ?? assert.fail('nothing came')
}

describe('mail from outside in the name of a hosted domain', () => {
  for (const [what, record] of [
    ['no DMARC record', null],
    ['p=none', 'v=DMARC1; p=none'],
    ['p=quarantine', 'v=DMARC1; p=quarantine'],
  ] as const)
    test(`that is not authenticated is in Junk with the reason, with ${what}`, async () => {
      const { box, domain } = await newBox()
      if (record) ground.zone[`TXT _dmarc.${domain}`] = txt(record)
      const mail = await received(box, forged(domain))
      assert.deepEqual([mail.folders, mail.keywords], [['Junk'], ['$junk']])
      assert.match(mail.prefix, /X-Spam-Status: Yes,[^\r]*(\r\n[^\r]*)*spoofed_domain=/)
      const [line] = await ground.activity(box)
      assert.equal(line?.type, 'spam')
      assert.match(line?.result ?? '', new RegExp(`^junk: .*${domain}`))
    })

  test('is in Junk for mailboxes of other domains too, and in any spelling', async () => {
    const { domain } = await newBox()
    const { box: other } = await newBox()
    const mail = await received(other, forged(domain.toUpperCase()))
    assert.deepEqual(mail.folders, ['Junk'])
  })

  test('is in the inbox when SPF or DKIM of that domain passes', async () => {
    const { box, domain } = await newBox()
    ground.zone[`TXT s1._domainkey.${domain}`] = txt(key.record)
    assert.deepEqual((await received(box, await signed(forged(domain), { domain, key }))).folders, ['Inbox'])
    ground.zone[`TXT ${domain}`] = txt('v=spf1 ip4:127.0.0.1 -all')
    assert.deepEqual((await received(box, forged(domain), `boss@${domain}`)).folders, ['Inbox'])
    // Somebody else's pass is not the author's.
    ground.zone['TXT elsewhere.example'] = txt('v=spf1 ip4:127.0.0.1 -all')
    assert.deepEqual((await received(box, forged(domain))).folders, ['Junk'])
  })

  test('is in the inbox while SPF or DKIM of the domain is not verified', async () => {
    const { box, domain } = await newBox()
    for (const [spf, dkim] of [
      ['pending', 'verified'],
      ['verified', 'failed'],
    ] as const) {
      await setRecords(box, spf, dkim)
      assert.deepEqual((await received(box, forged(domain))).folders, ['Inbox'], `${spf} ${dkim}`)
    }
    await setRecords(box, 'temporary_failure', 'verified')
    assert.deepEqual((await received(box, forged(domain))).folders, ['Junk'])
  })

  test('is in the inbox when its name servers do not answer', async () => {
    const { box, domain } = await newBox()
    ground.zone[`TXT ${domain}`] = Object.assign(new Error('SERVFAIL'), { code: 'ESERVFAIL' })
    assert.deepEqual((await received(box, forged(domain), `boss@${domain}`)).folders, ['Inbox'])
  })

  test('is in the inbox under the seal of a trusted forwarder that saw it authenticated', async () => {
    const { box, domain } = await newBox()
    const sealed = async (signingDomain: string, authResults: string) => {
      const message = Buffer.from(forged(domain))
      const seal = { signingDomain, selector: 'seal', privateKey: key.privatePem, cv: 'none' as const, authResults }
      return Buffer.concat([await sealMessage(message, seal), message])
    }
    const passed = `forwarder.example; dmarc=pass header.from=${domain}`
    assert.deepEqual((await received(box, await sealed('forwarder.example', passed))).folders, ['Inbox'])
    const signedBy = `forwarder.example; dkim=pass header.d=${domain}`
    assert.deepEqual((await received(box, await sealed('forwarder.example', signedBy))).folders, ['Inbox'])
    for (const [sealer, results] of [
      ['stranger.example', passed],
      ['forwarder.example', `forwarder.example; dmarc=fail header.from=${domain}`],
      ['forwarder.example', 'forwarder.example; dmarc=pass header.from=elsewhere.example'],
      ['forwarder.example', 'forwarder.example; spf=pass smtp.mailfrom=elsewhere.example'],
    ] as const)
      assert.deepEqual((await received(box, await sealed(sealer, results))).folders, ['Junk'], `${sealer} ${results}`)
  })

  test('is forged when only one of those who sealed it is trusted', async () => {
    const { domain } = await newBox()
    const authenticity = (...sealers: string[]) => ({
      spf: { result: 'none' as const, domain: null },
      dkim: [],
      dmarc: { result: 'none' as const, policy: null, disposition: 'none' as const, domain },
      arc: { result: 'pass' as const, sealers, authenticated: [domain] },
      author: { domain, isAuthentic: false },
      fromAddress: `boss@${domain}`,
      ambiguousFrom: false,
      header: '',
    })
    const spoofed = (...sealers: string[]) =>
      findSpoofedDomain(ground.database.db, ground.parts.config, {
        authenticity: authenticity(...sealers),
        returnPath: 'eve@elsewhere.example',
      })
    assert.equal(await spoofed('forwarder.example'), null)
    assert.equal(await spoofed('forwarder.example', 'stranger.example'), domain)
    assert.equal(await spoofed('stranger.example', 'forwarder.example'), domain)
    assert.equal(await spoofed(), domain)
  })

  test('is in the inbox when its owner allows the service that sends it', async () => {
    const { box, domain } = await newBox()
    const allow = (pattern: string, action: 'allow' | 'block' = 'allow') =>
      ground.database.tx((tx) =>
        tx
          .insertInto('listed_sender')
          .values({ domain_id: box.domainId, id: newId(), pattern, action, created_at: ground.clock.now() })
          .execute(),
      )
    await allow('@letters.example')
    await allow('bounce@post.example')
    await allow('@blocked.example', 'block')
    const letters = await signed(forged(domain), { domain: 'letters.example', key })
    assert.deepEqual((await received(box, letters)).folders, ['Inbox'])
    for (const name of ['post.example', 'blocked.example', 'letters.example'])
      ground.zone[`TXT ${name}`] = txt('v=spf1 ip4:127.0.0.1 -all')
    assert.deepEqual((await received(box, forged(domain), 'bounce@post.example')).folders, ['Inbox'])
    assert.deepEqual((await received(box, forged(domain), 'x@letters.example')).folders, ['Inbox'])
    assert.deepEqual((await received(box, forged(domain), 'other@post.example')).folders, ['Junk'])
    assert.deepEqual((await received(box, forged(domain), 'x@blocked.example')).folders, ['Junk'])
    // The name of an allowed service alone proves nothing.
    ground.zone['TXT letters.example'] = txt('v=spf1 -all')
    assert.deepEqual((await received(box, forged(domain), 'x@letters.example')).folders, ['Junk'])
  })
})

test('mail in the name of a domain that is not hosted here is judged as before', async () => {
  const { box } = await newBox()
  assert.deepEqual((await received(box, forged('not-hosted-here.example'))).folders, ['Inbox'])
})
