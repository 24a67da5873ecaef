import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { claimDue, releaseClaims } from './claim-queries.ts'
import { decideNextState } from './next-state.ts'
import type { Claim } from './parts.ts'
import { writeResults } from './record-queries.ts'
import { arrivals, openGround, type QueueGround } from './testing/ground.ts'
import { NO_PATH } from './verdicts.ts'

let ground: QueueGround
let smtp: FakeSmtp
const started: { stop(): Promise<void> }[] = []

before(async () => {
  ground = await openGround()
})
after(() => ground.close())
beforeEach(async () => {
  smtp = await startFakeSmtp({ tls: 'none' })
  for (const domain of ['example.test', 'a.test', 'b.test', 'c.test'])
    ground.route(domain, [{ host: `mx.${domain}`, address: smtp.host }])
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
const claim = (domain: string, slots = 10): Promise<Claim[]> => {
  const now = ground.clock.now()
  const leaseUntil = new Date(now.getTime() + 60_000)
  return ground.database.tx((tx) => claimDue(tx, { slots: new Map([[domain, slots]]), now, leaseUntil }))
}
const write = (claimed: Claim) => {
  const now = ground.clock.now()
  const verdict = { kind: 'delivered', code: 250, status: '2.0.0', reply: '250 ok', where: 'peer' } as const
  const rows = claimed.recipients.map(
    (recipient) => decideNextState(claimed, { recipient, verdict, path: NO_PATH, durationMs: 1 }, now).written,
  )
  return ground.database.tx((tx) => writeResults(tx, rows, now))
}

describe('a claim', () => {
  test('is nobody else’s until its lease ends, and the late result of the first one is refused', async () => {
    const id = await ground.send(['x@example.test', 'y@example.test'])
    const [first] = await claim('example.test')
    assert.ok(first)
    assert.equal(first.recipients.length, 2)
    assert.deepEqual(await claim('example.test'), [])
    ground.clock.advance(61_000)
    const [second] = await claim('example.test')
    assert.ok(second)
    assert.notEqual(second.leaseToken, first.leaseToken)
    assert.deepEqual([...(await write(first))], [])
    const [held] = await ground.rows(id)
    assert.equal(held?.state, 'sending')
    assert.equal(held?.lease_token, second.leaseToken)
    assert.equal((await write(second)).size, 2)
    assert.deepEqual([...(await write(first))], [])
    assert.deepEqual([...(await write(second))], [])
    assert.deepEqual(
      (await ground.rows(id)).map(({ state, attempts }) => [state, attempts]),
      [
        ['delivered', 2],
        ['delivered', 2],
      ],
    )
    assert.equal((await ground.query('select 1 from queue_attempt where message_id = $1', [id])).length, 2)
  })

  test('that is given back is as if it had never been taken; with another token nothing happens', async () => {
    const id = await ground.send('x@example.test')
    const before = await ground.rows(id)
    const [first] = await claim('example.test')
    assert.ok(first)
    await ground.database.tx((tx) => releaseClaims(tx, [{ ...first, leaseToken: newId() }], ground.clock.now()))
    assert.equal((await ground.rows(id))[0]?.state, 'sending')
    await ground.database.tx((tx) => releaseClaims(tx, [first], ground.clock.now()))
    assert.deepEqual(await ground.rows(id), before)
  })

  test('takes no more messages of a destination than asked for, and one of a destination that fails', async () => {
    for (let count = 0; count < 5; count += 1) await ground.send('x@example.test')
    const now = ground.clock.now()
    assert.equal((await claim('example.test', 2)).length, 2)
    await ground.query(`insert into queue_destination values ('example.test', 3, $1, $2)`, [
      now,
      new Date(now.getTime() + 60_000),
    ])
    assert.equal((await claim('example.test')).length, 0)
    await ground.query('update queue_destination set retry_at = $1', [now])
    assert.equal((await claim('example.test')).length, 1)
  })

  test('by two at the same time is never of the same recipient', async () => {
    for (let count = 0; count < 40; count += 1) await ground.send('x@example.test')
    const claims = (await Promise.all(Array.from({ length: 4 }, () => claim('example.test', 40)))).flat()
    const keys = claims.flatMap(({ messageId, recipients }) =>
      recipients.map(({ ordinal }) => `${messageId} ${ordinal}`),
    )
    assert.equal(new Set(keys).size, keys.length)
    const rest = (await claim('example.test', 40)).length
    assert.equal(keys.length + rest, 40)
  })

  test('of more than a hundred recipients is split', async () => {
    await ground.send(Array.from({ length: 150 }, (_, index) => `x${index}@example.test`))
    const claims = await claim('example.test', 200)
    assert.deepEqual(
      claims.map(({ recipients }) => recipients.length),
      [100, 50],
    )
  })
})

describe('two processes', () => {
  test('share the work and send nothing twice', async () => {
    await Promise.all([start(), start()])
    const domains = ['a.test', 'b.test', 'c.test']
    for (let count = 0; count < 60; count += 1) await ground.send(`x@${domains[count % 3]}`)
    await ground.until('all have arrived', () => smtp.messages.length >= 60)
    await ground.until('all are recorded', async () => {
      const [row] = await ground.query(`select count(*) from queue_recipient where state <> 'delivered'`)
      return Number(row?.count) === 0
    })
    assert.deepEqual([...new Set(arrivals(smtp).values())], [1])
    assert.equal(arrivals(smtp).size, 60)
  })

  test('are notified of new mail at once, also when the other one accepts it', async () => {
    const before = await ground.send('x@b.test')
    await start({ tuning: { pollMs: 600_000 } })
    // Its look at the start has found this one; the next would come in ten minutes.
    await ground.settled(before, 'delivered')
    const id = await ground.send('x@a.test')
    // The ground's own database has no bus, so it is notified the way another process is.
    await ground.query(`select pg_notify('changes', $1)`, [
      JSON.stringify({
        from: 'other',
        part: 0,
        changes: [{ topic: 'queue', event: 'queued', data: { domains: ['a.test'] } }],
      }),
    ])
    await ground.settled(id, 'delivered')
  })

  test('one whose lease is over stops before the end of the message, and the other one sends it once', async () => {
    // The first thinks that it has no time left when the peer lets it go on; its clock stands for a stopped process.
    smtp.script('rcpt', [{ delayMs: 700 }])
    const late = await start({ tuning: { leaseMs: 300, pollMs: 60_000 } })
    const id = await ground.send('x@example.test')
    late.wake()
    await ground.until('it is being sent', async () => (await ground.rows(id))[0]?.state === 'sending')
    // What renews its lease is refused, as after another process has taken the message.
    const token = newId()
    await ground.query('update queue_recipient set lease_token = $2 where message_id = $1', [id, token])
    await passTime(900, 'the peer is slow: whoever did not notice would have sent it by now')
    assert.equal(smtp.messages.length, 0)
    assert.equal((await ground.rows(id))[0]?.lease_token, token)
    ground.clock.advance(400)
    await start()
    await ground.settled(id, 'delivered')
    await passTime(200, 'a second copy would be there by now')
    assert.equal(smtp.messages.length, 1)
  })
})

describe('a process that stops', () => {
  test('waits for what is under way', async () => {
    let hasLeft = false
    smtp.script('message', () => {
      hasLeft = true
      return { delayMs: 200 }
    })
    const queue = await start({ tuning: { graceMs: 10_000 } })
    const id = await ground.send('x@example.test')
    await ground.until('it has left', () => hasLeft)
    await queue.stop()
    assert.equal((await ground.rows(id))[0]?.state, 'delivered')
    assert.equal(smtp.messages.length, 1)
  })

  test('gives back what has not left yet, and another one sends it once', async () => {
    smtp.script('rcpt', [{ delayMs: 1_000 }])
    const queue = await start({ tuning: { graceMs: 100 } })
    const id = await ground.send('x@example.test')
    await ground.until('it is being sent', () => smtp.connections() === 1)
    await queue.stop()
    const [row] = await ground.rows(id)
    assert.deepEqual([row?.state, row?.attempts, row?.lease_token], ['queued', 0, null])
    await start()
    await ground.settled(id, 'delivered')
    assert.equal(smtp.messages.length, 1)
  })

  test('keeps the lease of what has left without a reply', async () => {
    let hasLeft = false
    smtp.script('message', () => {
      hasLeft = true
      return { delayMs: 1_000 }
    })
    const queue = await start({ tuning: { graceMs: 100 } })
    const id = await ground.send('x@example.test')
    await ground.until('it has left', () => hasLeft)
    await queue.stop()
    assert.equal((await ground.rows(id))[0]?.state, 'sending')
  })
})
