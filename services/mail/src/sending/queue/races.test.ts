import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { cancelQueued } from '../../hosting/enqueue/enqueue.ts'
import { arrivals, openGround, type QueueGround, subjectOf } from './testing/ground.ts'

let ground: QueueGround
let smtp: FakeSmtp
const started: { stop(): Promise<void> }[] = []

before(async () => {
  ground = await openGround()
})
after(() => ground.close())
beforeEach(async () => {
  smtp = await startFakeSmtp({ tls: 'none' })
  ground.route('example.test', [{ host: 'in.example.test', address: smtp.host }])
})
afterEach(async () => {
  for (const queue of started.splice(0)) await queue.stop()
  await smtp.close()
  await ground.query('delete from queue_message')
  await ground.query('delete from queue_destination')
})
const start = async (parts?: Parameters<QueueGround['start']>[1]) => {
  const queue = await ground.start(smtp.port, parts)
  started.push(queue)
  return queue
}

test('a message that is taken back while it becomes due is either sent or cancelled, never both', async () => {
  await start({ tuning: { pollMs: 5 } })
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const subject = `Race ${index}`
      const text = `From: ann@stoa.test\r\nSubject: ${subject}\r\n\r\nx\r\n`
      const id = await ground.send('you@example.test', { text })
      await passTime(index * 3, 'each is cancelled at another point of its way')
      const answer = await ground.database.tx((tx) => cancelQueued(tx, id))
      return { id, subject, answer }
    }),
  )
  for (const { id } of outcomes) await ground.settled(id, 'delivered', 'cancelled')
  const arrived = arrivals(smtp)
  for (const { id, subject, answer } of outcomes) {
    const [row] = await ground.rows(id)
    assert.equal(row?.state, answer === 'cancelled' ? 'cancelled' : 'delivered', subject)
    assert.equal(arrived.get(subject) ?? 0, answer === 'cancelled' ? 0 : 1, subject)
  }
})

test('every signature verifies while the key is switched', async () => {
  const keys = ['s1', 's2'].map((selector) => ({ selector, ...generateKeyPairSync('rsa', { modulusLength: 1024 }) }))
  let active = 0
  const signingKeyOf = async () => {
    const { selector, privateKey } = keys[active] ?? assert.fail()
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { domain: 'stoa.test', selector, algorithm: 'rsa-sha256', privateKeyPem } as const
  }
  await start({ signingKeyOf })
  const ids: string[] = []
  for (let count = 0; count < 60; count += 1) {
    ids.push(await ground.send('you@example.test'))
    active = count % 7 === 0 ? 1 - active : active
  }
  // However slow the worker is: one that leaves under each key.
  for (active of [0, 1]) {
    const id = await ground.send('you@example.test')
    await ground.settled(id, 'delivered')
  }
  for (const id of ids) await ground.settled(id, 'delivered')
  const resolver = async (name: string) => {
    const key = keys.find(({ selector }) => name.startsWith(`${selector}.`))
    return [[`v=DKIM1; k=rsa; p=${key?.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`]]
  }
  const used = new Set<string | undefined>()
  for (const { raw } of smtp.messages) {
    const { results } = await dkimVerify(raw, { resolver, curTime: ground.clock.now() })
    assert.equal(results[0]?.status.result, 'pass')
    used.add(results[0]?.selector)
  }
  assert.equal(used.size, 2)
})

test('a result is written when the database comes back, and the message is not sent again', async () => {
  let hasLeft = false
  smtp.script('message', () => {
    hasLeft = true
    return { delayMs: 300 }
  })
  await start()
  const id = await ground.send('you@example.test')
  await ground.until('it has left', () => hasLeft)
  for (let cut = 0; cut < 10; cut += 1) {
    await ground.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
    await passTime(50, 'the queue works for a while between two cuts')
  }
  await ground.settled(id, 'delivered')
  assert.equal(smtp.messages.length, 1)
  // The worker goes on, too.
  await ground.settled(await ground.send('you@example.test'), 'delivered')
})

test('what follows from a result cannot make the same mail leave again and again', async () => {
  await start({
    onOutcome: async () => {
      throw new Error('a mistake in what follows')
    },
  })
  const id = await ground.send('you@example.test')
  await ground.settled(id, 'delivered')
  ground.clock.advance(600_000)
  await passTime(200, 'a second copy would be there by now')
  assert.equal(smtp.messages.length, 1)
})

test('mail that only waits for a destination is reported and given up in time, without being tried', async () => {
  const queue = await start()
  const far = new Date(ground.clock.now().getTime() + 30 * 86_400_000)
  await ground.query(`insert into queue_destination values ('example.test', 9, $1, $2)`, [ground.clock.now(), far])
  const id = await ground.send('you@example.test', { returnPath: 'ann@elsewhere.test' })
  const reports = () => ground.query(`select 1 from queue_message where source = 'dsn'`)
  await queue.expireStalled()
  assert.equal((await ground.rows(id))[0]?.state, 'queued')
  ground.clock.advance(5 * 3_600_000)
  await queue.expireStalled()
  const [waiting] = await ground.rows(id)
  assert.deepEqual([waiting?.state, waiting?.attempts], ['deferred', 0])
  assert.ok(waiting?.delay_told_at)
  assert.equal((await reports()).length, 1)
  ground.clock.advance(5 * 86_400_000)
  await queue.expireStalled()
  const [failed] = await ground.rows(id)
  assert.deepEqual([failed?.state, failed?.last_status], ['failed', '5.4.7'])
  assert.equal((await reports()).length, 2)
  assert.equal(smtp.messages.filter((mail) => subjectOf(mail).startsWith('Hello')).length, 0)
})
