import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { cancelQueued } from '../../hosting/enqueue/enqueue.ts'
import { arrivals, openGround, type QueueGround, subjectOf } from './testing/ground.ts'
import { SIGNING_KEY } from './testing/parts.ts'

let ground: QueueGround
let smtp: FakeSmtp

before(async () => {
  ground = await openGround()
})
after(() => ground.close())
beforeEach(async () => {
  smtp = await startFakeSmtp()
  ground.route('example.test', [{ host: 'mx.example.test', address: smtp.host }])
  ground.outcomes.length = 0
})
const started: { stop(): Promise<void> }[] = []
const start = async (parts?: Parameters<QueueGround['start']>[1]) => {
  const queue = await ground.start(smtp.port, parts)
  started.push(queue)
  return queue
}
afterEach(async () => {
  for (const queue of started.splice(0)) await queue.stop()
  await smtp.close()
  await ground.query('delete from queue_message')
  await ground.query('delete from queue_destination')
})

describe('a message', () => {
  test('arrives unchanged but for a signature that verifies', async () => {
    await start()
    const text = 'From: ann@stoa.test\r\nSubject: Signed\r\n\r\n.\r\n..\r\n.x\r\n\r\nend'
    const id = await ground.send('you@example.test', { text })
    const [row] = await ground.settled(id, 'delivered')
    const [mail] = smtp.messages
    assert.ok(mail)
    assert.equal(mail.from, 'ann@stoa.test')
    assert.deepEqual(mail.to, ['you@example.test'])
    assert.equal(mail.isSecure, true)
    const raw = mail.raw.toString()
    assert.equal(raw.slice(raw.indexOf('\r\nFrom: ') + 2), `${text}\r\n`)
    const key = SIGNING_KEY.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    ground.dns.set('s1._domainkey.stoa.test', 'TXT', [`v=DKIM1; k=rsa; p=${key}`])
    const { results } = await dkimVerify(mail.raw, {
      curTime: ground.clock.now(),
      resolver: async () => [[`v=DKIM1; k=rsa; p=${key}`]],
    })
    assert.equal(results[0]?.status.result, 'pass')
    assert.equal(row?.last_code, 250)
    assert.equal(row?.last_host, 'mx.example.test')
    const [attempt] = await ground.query('select * from queue_attempt where message_id = $1', [id])
    assert.match(String(attempt?.tls), /^TLSv1\.3 /)
    assert.equal(attempt?.policy, 'opportunistic')
    assert.equal(attempt?.ip, '127.0.0.1')
    assert.deepEqual(
      ground.outcomes.map(({ state, recipient }) => [state, recipient]),
      [['delivered', 'you@example.test']],
    )
    assert.equal((await ground.query(`select 1 from blob_link where ref_id = $1`, [id])).length, 0)
  })

  test('of a program goes to each recipient in a transaction of its own, from a return path of its own', async () => {
    await start()
    const to = Array.from({ length: 12 }, (_, at) => `r${at}@example.test`)
    const id = await ground.send(to, { isApi: true })
    await ground.settled(id, 'delivered')
    assert.deepEqual(
      smtp.messages.map((mail) => mail.to.length),
      Array(12).fill(1),
    )
    const rows = await ground.query<{ recipient: string; return_path: string }>(
      'select recipient, return_path from queue_recipient where message_id = $1',
      [id],
    )
    const sent = new Map(smtp.messages.map(({ to: [recipient], from }) => [recipient, from]))
    assert.equal(new Set(sent.values()).size, 12)
    for (const { recipient, return_path } of rows) assert.equal(sent.get(recipient), return_path)
    const signatures = smtp.messages.map(({ raw }) => /\bb=([^;]*?)\r\n(?![ \t])/s.exec(raw.toString())?.[1])
    assert.equal(new Set(signatures).size, 1)
  })

  test('goes to all recipients of a destination in one transaction, each with its own outcome', async () => {
    smtp.script('rcpt', ({ address }) => {
      if (address === 'no@example.test') return { reply: { code: 550, text: '5.1.1 No such user' } }
      if (address === 'later@example.test') return { reply: { code: 451, text: '4.7.1 Greylisted' } }
      return undefined
    })
    await start()
    const id = await ground.send(['a@example.test', 'no@example.test', 'later@example.test', 'b@example.test'])
    const rows = await ground.settled(id, 'delivered', 'bounced', 'deferred')
    assert.deepEqual(
      rows.map(({ state, last_status }) => [state, last_status]),
      [
        ['delivered', '2.0.0'],
        ['bounced', '5.1.1'],
        ['deferred', '4.7.1'],
        ['delivered', '2.0.0'],
      ],
    )
    assert.equal(rows[1]?.last_reply, '550 5.1.1 No such user')
    assert.equal(smtp.messages.length, 1)
    assert.deepEqual(smtp.messages[0]?.to, ['a@example.test', 'b@example.test'])
    // Greylisting: the next attempt comes after a minute, and only for the one that was asked to wait.
    smtp.script('rcpt', () => undefined)
    ground.clock.advance(70_000)
    await ground.settled(id, 'delivered', 'bounced')
    assert.deepEqual(smtp.messages[1]?.to, ['later@example.test'])
    assert.equal(smtp.messages[1]?.raw.equals(smtp.messages[0]?.raw ?? Buffer.alloc(0)), false)
  })

  test('with bare line feeds and lone carriage returns leaves with CRLF only, signed as it leaves', async () => {
    await start()
    const text = 'From: ann@stoa.test\nSubject: Smuggled\n\nx\n.\nMAIL FROM:<evil@stoa.test>\r.\r\nend\r'
    const id = await ground.send('you@example.test', { text })
    await ground.settled(id, 'delivered')
    assert.deepEqual(smtp.problems, [])
    assert.equal(smtp.messages.length, 1)
    const raw = smtp.messages[0]?.raw.toString() ?? ''
    assert.ok(raw.endsWith('\r\n\r\nx\r\n.\r\nMAIL FROM:<evil@stoa.test>\r\n.\r\nend\r\n'), raw)
    assert.doesNotMatch(raw, /[^\r]\n|\r[^\n]/)
  })

  test('that is larger than memory should hold is streamed, and its signature verifies', async () => {
    await start()
    const line = `${'large '.repeat(12)} \r\n`
    const text = `From: ann@stoa.test\r\nSubject: Large\r\n\r\n${line.repeat(40_000)}.\r\n`
    const id = await ground.send('you@example.test', { text })
    await ground.settled(id, 'delivered')
    const [mail] = smtp.messages
    assert.ok(mail)
    const raw = mail.raw.toString()
    assert.equal(raw.slice(raw.indexOf('\r\nFrom: ') + 2), text)
    const key = SIGNING_KEY.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const { results } = await dkimVerify(mail.raw, {
      curTime: ground.clock.now(),
      resolver: async () => [[`v=DKIM1; k=rsa; p=${key}`]],
    })
    assert.equal(results[0]?.status.result, 'pass')
  })
})

describe('an unfinished message', () => {
  test('is never tried before its time, and can be taken back until it is claimed', async () => {
    await start()
    const notBefore = new Date(ground.clock.now().getTime() + 20_000)
    const kept = await ground.send('you@example.test', { notBefore })
    const cancelled = await ground.send('me@example.test', { notBefore })
    await passTime(200, 'what is due would have been sent by now')
    assert.equal(smtp.connections(), 0)
    const cancel = (id: string) => ground.database.tx((tx) => cancelQueued(tx, id))
    assert.equal(await cancel(cancelled), 'cancelled')
    assert.equal(await cancel(cancelled), 'finished')
    ground.clock.advance(21_000)
    await ground.settled(kept, 'delivered')
    assert.equal(await cancel(kept), 'finished')
    assert.equal((await ground.rows(cancelled))[0]?.state, 'cancelled')
    assert.equal(smtp.messages.length, 1)
  })

  test('that is being sent or was tried cannot be taken back', async () => {
    smtp.script('message', [{ delayMs: 300, reply: { code: 451, text: '4.3.0 Later' } }])
    await start()
    const id = await ground.send('you@example.test')
    await ground.until('it is being sent', async () => (await ground.rows(id))[0]?.state === 'sending')
    assert.equal(await ground.database.tx((tx) => cancelQueued(tx, id)), 'claimed')
    await ground.settled(id, 'deferred')
    assert.equal(await ground.database.tx((tx) => cancelQueued(tx, id)), 'claimed')
  })

  test('waits as the schedule says, keeps every reply, and is given up after five days', async () => {
    smtp.script('message', () => ({ reply: { code: 452, text: '4.2.2 Mailbox full' } }))
    await start()
    const began = ground.clock.now().getTime()
    const id = await ground.send('you@example.test')
    const waits: number[] = []
    for (let attempt = 1; attempt <= 60; attempt += 1) {
      await ground.until('the attempt', async () =>
        (await ground.rows(id)).every((row) => row.attempts === attempt && row.state !== 'sending'),
      )
      const [row] = await ground.rows(id)
      if (row?.state === 'failed') break
      assert.equal(row?.state, 'deferred')
      const wait = (row?.next_at.getTime() ?? 0) - ground.clock.now().getTime()
      waits.push(Math.floor(wait / 60_000))
      ground.clock.advance(wait)
    }
    for (const [index, minutes] of [1, 5, 15, 30, 60, 120, 240, 360, 360].entries()) {
      const wait = waits[index] ?? 0
      assert.ok(wait >= minutes && wait <= minutes * 1.1, `${wait} minutes instead of ${minutes}`)
    }
    const [row] = await ground.rows(id)
    assert.equal(row?.state, 'failed')
    assert.equal(row?.last_status, '5.4.7')
    assert.match(row?.last_reply ?? '', /Mailbox full/)
    const days = (ground.clock.now().getTime() - began) / 86_400_000
    assert.ok(days >= 5 && days < 5.1, String(days))
    const attempts = await ground.query('select reply from queue_attempt where message_id = $1', [id])
    assert.equal(attempts.length, row?.attempts)
    assert.equal(smtp.messages.length, 0)
  })
})

describe('connections', () => {
  test('are used again for the next message to the same host', async () => {
    await start({ tuning: { perDestination: 1 } })
    const ids: string[] = []
    for (let count = 0; count < 10; count += 1) ids.push(await ground.send('you@example.test'))
    for (const id of ids) await ground.settled(id, 'delivered')
    assert.equal(smtp.messages.length, 10)
    assert.equal(smtp.connections(), 1)
  })

  test('are made anew when the peer closes them, without a failure', async () => {
    smtp.script('message', (_moment) => ({ cut: 'after-reply' }))
    await start({ tuning: { perDestination: 1 } })
    for (let count = 0; count < 3; count += 1) {
      const id = await ground.send('you@example.test')
      const [row] = await ground.settled(id, 'delivered')
      assert.equal(row?.attempts, 1)
    }
    assert.equal(arrivals(smtp).size, 3)
  })
})

describe('a connection that is cut', () => {
  test('before the message took effect means another attempt', async () => {
    smtp.script('message', [{ cut: 'before-effect' }])
    await start()
    const id = await ground.send('you@example.test')
    const [row] = await ground.settled(id, 'deferred')
    assert.equal(row?.last_code, null)
    assert.equal(row?.last_status, '4.4.2')
    ground.clock.advance(70_000)
    await ground.settled(id, 'delivered')
    assert.equal(smtp.messages.length, 1)
  })

  test('before the reply means another attempt with the same message', async () => {
    smtp.script('message', [{ cut: 'before-reply' }])
    await start()
    const id = await ground.send('you@example.test')
    await ground.settled(id, 'deferred')
    ground.clock.advance(70_000)
    await ground.settled(id, 'delivered')
    assert.deepEqual([...arrivals(smtp).values()], [2])
    const ids = smtp.messages.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw.toString())?.[1])
    assert.equal(new Set(ids).size, 1)
    assert.equal(subjectOf(smtp.messages[0] ?? { raw: Buffer.alloc(0) }).startsWith('Hello'), true)
  })

  test('at RCPT is no bounce', async () => {
    smtp.script('rcpt', [{ cut: 'before-effect' }])
    await start()
    const id = await ground.send('you@example.test')
    const [row] = await ground.settled(id, 'deferred')
    assert.equal(row?.last_status, '4.4.2')
    assert.equal(smtp.messages.length, 0)
  })
})
