import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { buildDsn } from '../../formats/bounces/dsn.ts'
import { srsForward } from '../../formats/bounces/srs.ts'
import { enqueue } from '../../hosting/enqueue/enqueue.ts'
import type { Outcome } from '../../sending/queue/parts.ts'
import { folderByRole } from '../../store/folders/folders.ts'
import { moveMessages } from '../../store/messages/moves.ts'
import { learnPending } from '../spam/pending.ts'
import { createLocalDelivery } from './local.ts'
import { NOW, plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
const outcomes: Outcome[] = []
before(async () => {
  ground = await startReceiving({ hooks: { onOutcome: async (_tx, reported) => void outcomes.push(...reported) } })
})
after(() => ground.close())

/** A message of the API that somebody has taken. */
const sent = async (token: string, ...addresses: string[]) => {
  const recipients = addresses.map((address, at) => {
    const own = at === 0 ? token : `${token}-${at}`
    return { address, bounce: { token: own, returnPath: `b.${own}@mx.stoa.test` } }
  })
  const { key, size } = await ground.parts.blobs.put(Buffer.from(plainMessage()), { maxBytes: 10_000 })
  const { id } = await ground.database.tx((tx) =>
    enqueue(tx, {
      accountId: ground.accountId,
      addressId: null,
      source: 'api',
      blob: { key, size },
      returnPath: '',
      recipients,
      signingDomainId: null,
      messageId: null,
      headerFrom: null,
      subject: null,
      needsUtf8: false,
      needs8bit: false,
      now: NOW,
    }),
  )
  await ground.database.pool.query(`update queue_recipient set state = 'delivered' where message_id = $1`, [id])
  return id
}

const stateOf = async (id: string) => {
  const { rows } = await ground.database.pool.query(
    'select state, last_status from queue_recipient where message_id = $1 order by ordinal',
    [id],
  )
  return rows[0]
}
const statesOf = async (id: string): Promise<string[]> => {
  const { rows } = await ground.database.pool.query(
    'select state from queue_recipient where message_id = $1 order by ordinal',
    [id],
  )
  return rows.map(({ state }) => state)
}
const suppressedBy = async (id: string): Promise<string[]> => {
  const { rows } = await ground.database.pool.query(
    `select email || ' ' || origin as line from suppression where source_id = $1 order by email`,
    [id],
  )
  return rows.map(({ line }) => line)
}
const failureOf = (to: string, ...about: Parameters<typeof buildDsn>[0]['recipients'][number][]) =>
  buildDsn({
    kind: 'failure',
    hostname: 'mx.elsewhere.org',
    to,
    recipients: about,
    arrivedAt: NOW,
    original: Buffer.from(plainMessage()),
    now: NOW,
  })
const complaintOf = (to: string, fields = '') =>
  `From: <fbl@elsewhere.org>\r\nTo: <${to}>\r\nSubject: FW\r\nMIME-Version: 1.0\r\n` +
  'Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\n' +
  'Content-Type: text/plain\r\n\r\nThis is a complaint.\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n' +
  `Feedback-Type: abuse\r\nUser-Agent: Test/1\r\nVersion: 1\r\n${fields}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n` +
  `${plainMessage()}\r\n--b--\r\n`

describe('reports about mail that was sent', () => {
  test('to its token mark the recipient as bounced and suppress the address', async () => {
    const id = await sent('token1', 'gone@elsewhere.org')
    const report = buildDsn({
      kind: 'failure',
      hostname: 'mx.elsewhere.org',
      to: 'b.token1@mx.stoa.test',
      recipients: [{ recipient: 'gone@elsewhere.org', status: '5.1.1', diagnostic: '550 no such user' }],
      arrivedAt: NOW,
      original: Buffer.from(plainMessage()),
      now: NOW,
    })
    assert.equal((await ground.send({ from: '', to: 'b.token1@mx.stoa.test', message: report })).code, 250)
    assert.deepEqual(await stateOf(id), { state: 'bounced', last_status: '5.1.1' })
    const { rows } = await ground.database.pool.query('select email, origin from suppression where source_id = $1', [
      id,
    ])
    assert.deepEqual(rows, [{ email: 'gone@elsewhere.org', origin: 'bounce' }])
    assert.deepEqual(
      outcomes.map(({ messageId, state }) => [messageId, state]),
      [[id, 'bounced']],
    )
  })

  test('to a token that nobody has are 550, and other mail to a token changes nothing', async () => {
    const id = await sent('token2', 'here@elsewhere.org')
    assert.match(
      (await ground.send({ from: '', to: 'b.guess@mx.stoa.test', message: plainMessage() })).text,
      /^550 5\.1\.1 /,
    )
    assert.equal((await ground.send({ from: '', to: 'b.token2@mx.stoa.test', message: plainMessage() })).code, 250)
    assert.equal((await stateOf(id))?.state, 'delivered')
  })

  test('that are complaints suppress the address', async () => {
    const id = await sent('token3', 'angry@elsewhere.org')
    const complaint = complaintOf('b.token3@mx.stoa.test')
    assert.equal(
      (await ground.send({ from: 'fbl@elsewhere.org', to: 'b.token3@mx.stoa.test', message: complaint })).code,
      250,
    )
    const { rows } = await ground.database.pool.query('select email, origin from suppression where source_id = $1', [
      id,
    ])
    assert.deepEqual(rows, [{ email: 'angry@elsewhere.org', origin: 'complaint' }])
  })

  test('that name another recipient of the same mail change nothing and are logged', async () => {
    const id = await sent('token4', 'ann@elsewhere.org', 'bob@elsewhere.org')
    const to = 'b.token4@mx.stoa.test'
    const about = { recipient: 'BOB@elsewhere.org', status: '5.1.1', diagnostic: '550 no such user' }
    const known = ground.logs.length
    assert.equal((await ground.send({ from: '', to, message: failureOf(to, about) })).code, 250)
    const complaint = complaintOf(to, 'Original-Rcpt-To: <bob@elsewhere.org>\r\n')
    assert.equal((await ground.send({ from: 'fbl@elsewhere.org', to, message: complaint })).code, 250)
    assert.deepEqual([await statesOf(id), await suppressedBy(id)], [['delivered', 'delivered'], []])
    const lines = ground.logs.slice(known).join('')
    assert.match(lines, /a bounce names another recipient/)
    assert.match(lines, /a complaint names another recipient/)
    assert.doesNotMatch(lines, /token4|bob@/)
  })

  test('are believed about the recipient of the token alone, also when they name a stranger whom it forwards to', async () => {
    const id = await sent('token5', 'ann@elsewhere.org', 'bob@elsewhere.org')
    const to = 'b.token5@mx.stoa.test'
    const report = failureOf(
      to,
      { recipient: 'bob@elsewhere.org', status: '5.1.1', diagnostic: '550 no such user' },
      { recipient: 'forwarded@far.org', status: '5.0.0', diagnostic: '550 5.1.1 no such user' },
    )
    assert.equal((await ground.send({ from: '', to, message: report })).code, 250)
    assert.deepEqual(await statesOf(id), ['bounced', 'delivered'])
    assert.deepEqual(await suppressedBy(id), ['ann@elsewhere.org bounce'])
    const hidden = complaintOf('b.token5-1@mx.stoa.test', 'Original-Rcpt-To: <hidden@provider.org>\r\n')
    await ground.send({ from: 'fbl@elsewhere.org', to: 'b.token5-1@mx.stoa.test', message: hidden })
    assert.deepEqual(await suppressedBy(id), ['ann@elsewhere.org bounce', 'bob@elsewhere.org complaint'])
  })

  test('suppress nobody for what is about the sender or the content', async () => {
    const id = await sent('token6', 'ann@elsewhere.org')
    const to = 'b.token6@mx.stoa.test'
    const about = { recipient: 'ann@elsewhere.org', status: '5.1.8', diagnostic: '550 5.1.8 sender unknown' }
    await ground.send({ from: '', to, message: failureOf(to, about) })
    assert.deepEqual([await statesOf(id), await suppressedBy(id)], [['bounced'], []])
  })

  test('to a token of before, which all recipients of a mail share, are about whom they name', async () => {
    const id = await sent('token7', 'ann@elsewhere.org', 'old@elsewhere.org')
    await ground.database.pool.query(`update queue_recipient set bounce_token = 'token7' where message_id = $1`, [id])
    const to = 'b.token7@mx.stoa.test'
    const stranger = { recipient: 'else@far.org', status: '5.1.1', diagnostic: '550 no such user' }
    await ground.send({ from: '', to, message: failureOf(to, stranger) })
    await ground.send({ from: 'fbl@elsewhere.org', to, message: complaintOf(to) })
    assert.deepEqual([await statesOf(id), await suppressedBy(id)], [['delivered', 'delivered'], []])
    await ground.send({ from: '', to, message: failureOf(to, { ...stranger, recipient: 'old@elsewhere.org' }) })
    assert.deepEqual(await statesOf(id), ['delivered', 'bounced'])
    assert.deepEqual(await suppressedBy(id), ['old@elsewhere.org bounce'])
  })

  test('of others about our domains are taken', async () => {
    const answer = await ground.send({ to: 'dmarc-reports@mx.stoa.test', message: plainMessage() })
    assert.equal(answer.code, 250)
  })
})

describe('mail to postmaster and abuse of a domain without such addresses', () => {
  const forwarded = async (subject: string): Promise<number> => {
    const { rows } = await ground.database.pool.query(
      `select count(*)::int as count from queue_message where source = 'forward' and subject = $1`,
      [subject],
    )
    return rows[0].count
  }

  for (const name of ['postmaster', 'abuse'])
    test(`${name}: is forwarded once when the answer was lost and the sender retries, again when it was received`, async () => {
      const subject = `About your ${name}`
      const message = plainMessage({ Subject: subject })
      await ground.address(`someone-${name}@ours.test`)
      const to = [`${name}@ours.test`]
      for (let count = 0; count < 3; count += 1) {
        const lost = await ground.connect()
        assert.equal((await lost.mail({ from: 'ann@example.org', to }, message)).code, 250)
        lost.close()
      }
      assert.equal(await forwarded(subject), 1)
      assert.equal((await ground.send({ from: 'other@example.org', to: to[0] ?? '', message })).code, 250)
      assert.equal(await forwarded(subject), 2)
      await ground.parts.receipts.flush()
      assert.equal((await ground.send({ from: 'other@example.org', to: to[0] ?? '', message })).code, 250)
      assert.equal(await forwarded(subject), 3)
    })
})

describe('mail of our own queue', () => {
  test('is delivered once, however often the queue tries, with its filters and without judgement', async () => {
    const bob = await ground.address('local@ours.test')
    await ground.script(bob, 'require "fileinto"; fileinto "From inside";')
    const { deliverLocal } = createLocalDelivery(ground.parts)
    const bytes = Buffer.from(plainMessage())
    const { key, size } = await ground.parts.blobs.put(bytes, { maxBytes: 10_000 })
    const mail = {
      queueMessageId: newId(),
      returnPath: 'ann@ours.test',
      recipient: 'local@ours.test',
      route: {
        kind: 'mailbox' as const,
        addressId: bob.id,
        accountId: bob.accountId,
        domainId: bob.domainId,
        email: 'local@ours.test',
        detail: null,
        via: 'address' as const,
      },
      blob: { key, size },
      prefix: Buffer.from('Received: by mx.stoa.test with ESMTPSA id 1; Sun, 1 Mar 2026 12:00:00 +0000\r\n'),
      source: 'submission' as const,
    }
    assert.deepEqual(await deliverLocal(mail), { ok: true })
    assert.deepEqual(await deliverLocal(mail), { ok: true })
    const [stored, ...others] = await ground.mails(bob)
    assert.deepEqual(others, [])
    assert.deepEqual(stored?.folders, ['From inside'])
    assert.match(
      stored?.prefix ?? '',
      /^Return-Path: <ann@ours\.test>\r\nDelivered-To: local@ours\.test\r\nReceived: by /,
    )
    assert.match(stored?.prefix ?? '', /ESMTPSA id 1; /)
    assert.doesNotMatch(stored?.prefix ?? '', /Authentication-Results|X-Spam/)
    await ground.check(bob)
  })

  test('that a filter rejects comes back as a permanent failure, a full mailbox as a passing one', async () => {
    const { deliverLocal } = createLocalDelivery(ground.parts)
    const { key, size } = await ground.parts.blobs.put(Buffer.from(plainMessage()), { maxBytes: 10_000 })
    const give = async (email: string, options = {}, script = '') => {
      const address = await ground.address(email, options)
      if (script) await ground.script(address, script)
      const { id: addressId, accountId, domainId } = address
      const route = {
        kind: 'mailbox' as const,
        addressId,
        accountId,
        domainId,
        email,
        detail: null,
        via: 'address' as const,
      }
      const mail = {
        queueMessageId: newId(),
        returnPath: 'ann@ours.test',
        recipient: email,
        route,
        blob: { key, size },
      }
      return deliverLocal({ ...mail, prefix: Buffer.alloc(0), source: 'submission' })
    }
    assert.deepEqual(await give('no@ours.test', {}, 'require "reject"; reject "No.";'), {
      ok: false,
      code: 550,
      status: '5.7.1',
      text: 'No.',
      permanent: true,
    })
    const full = await give('tiny@ours.test', { quotaBytes: 10 })
    assert.deepEqual(full.ok ? null : [full.code, full.permanent], [452, false])
  })
})

describe('training', () => {
  test('by moves makes later mail of the same kind spam for this mailbox', async () => {
    const bob = await ground.address('learns@ours.test')
    const spam = (index: number) =>
      plainMessage(
        { Subject: `Cheap watches ${index}` },
        `Buy replica watches now, offer ${index}, luxury for less.\r\n`,
      )
    const wanted = (index: number) =>
      plainMessage({ Subject: `Minutes of meeting ${index}` }, `Agenda item ${index}: budget, roof, garden.\r\n`)
    for (let index = 0; index < 12; index += 1) {
      await ground.send({ to: 'learns@ours.test', message: spam(index) })
      await ground.send({ to: 'learns@ours.test', message: wanted(index) })
    }
    const rows = await ground.database.db.query<{ id: string; subject: string }>({
      text: 'select id, subject from message where address_id = $1',
      values: [bob.id],
    })
    const move = async (word: string, role: 'junk' | 'inbox') => {
      const folder = await folderByRole(ground.database.db, bob.id, role)
      const messageIds = rows.filter(({ subject }) => subject.includes(word)).map(({ id }) => id)
      const moved = { addressId: bob.id, messageIds, folderId: folder?.id ?? '', now: NOW }
      await ground.database.tx((tx) => moveMessages(tx, moved))
    }
    const learn = () =>
      learnPending({ database: ground.database, blobs: ground.parts.blobs, log: ground.parts.log, now: NOW })
    await move('watches', 'junk')
    assert.equal(await learn(), 12)
    await move('Minutes', 'junk')
    await move('Minutes', 'inbox')
    assert.equal(await learn(), 12)
    await ground.send({ to: 'learns@ours.test', message: spam(99) })
    await ground.send({ to: 'learns@ours.test', message: wanted(99) })
    const [bad, good] = (await ground.mails(bob)).slice(-2)
    assert.deepEqual([bad?.folders, good?.folders], [['Junk'], ['Inbox']])
  })
})

test('a rewritten address leads reports back, and nothing that somebody sends', async () => {
  const { config } = ground.parts
  const address = srsForward('ann@elsewhere.org', config.hostname, config.secret, ground.clock.now())
  const client = await ground.connect()
  await client.say('MAIL FROM:<eve@elsewhere.org>')
  assert.equal((await client.say(`RCPT TO:<${address}>`)).code, 550)
  await client.say('RSET')
  await client.say('MAIL FROM:<>')
  assert.equal((await client.say(`RCPT TO:<${address}>`)).code, 250)
  client.close()
})
