import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { openGround, type QueueGround } from './testing/ground.ts'

let ground: QueueGround
let smtp: FakeSmtp
const open: { stop(): Promise<void> }[] = []

before(async () => {
  ground = await openGround()
})
after(() => ground.close())
beforeEach(async () => {
  smtp = await startFakeSmtp({ tls: 'none' })
  for (const domain of ['example.test', 'other.test'])
    ground.route(domain, [{ host: `in.${domain}`, address: smtp.host }])
})
afterEach(async () => {
  for (const queue of open.splice(0)) await queue.stop()
  await smtp.close()
  for (const table of ['queue_message', 'queue_destination', 'queue_hold']) await ground.query(`delete from ${table}`)
})
const start = async (parts?: Parameters<QueueGround['start']>[1]) => {
  const queue = await ground.start(smtp.port, parts)
  open.push(queue)
  return queue
}
const hold = (domain: string) =>
  ground.query('insert into queue_hold (id, domain, created_at) values ($1, $2, now())', [newId(), domain])

describe('mail for a domain that is on hold', () => {
  test('is not tried by any process, and leaves when the hold is removed', async () => {
    await hold('example.test')
    await start()
    await start()
    const held = await ground.send('x@example.test')
    await ground.settled(await ground.send('x@other.test'), 'delivered')
    const [row] = await ground.rows(held)
    assert.deepEqual([row?.state, row?.attempts], ['queued', 0])
    assert.deepEqual(
      smtp.messages.map(({ to }) => to),
      [['x@other.test']],
    )
    await ground.query('delete from queue_hold')
    await ground.settled(held, 'delivered')
    assert.equal(smtp.messages.length, 2)
  })

  test('is reported as delayed and given up in time, as any other', async () => {
    await hold('example.test')
    const queue = await start()
    const id = await ground.send('x@example.test', { returnPath: 'ann@elsewhere.test' })
    ground.clock.advance(5 * 3_600_000)
    await queue.expireStalled()
    const [late] = await ground.rows(id)
    assert.deepEqual(
      [late?.state, late?.attempts, late?.last_reply],
      ['deferred', 0, 'mail for this domain is on hold'],
    )
    assert.ok(late?.delay_told_at)
    ground.clock.advance(5 * 86_400_000)
    await queue.expireStalled()
    const [failed] = await ground.rows(id)
    assert.deepEqual([failed?.state, failed?.last_status], ['failed', '5.4.7'])
    assert.equal((await ground.query(`select 1 from queue_message where source = 'dsn'`)).length, 2)
    assert.equal(smtp.messages.length, 0)
  })
})

describe('mail of a suspended account', () => {
  const suspend = (at: Date | null) => ground.query('update account set suspended_at = $1', [at])
  afterEach(() => suspend(null))

  test('waits without an attempt, and leaves when the account may send again', async () => {
    await suspend(ground.clock.now())
    const begun: unknown[] = []
    await start({ onFirstAttempt: async (_tx, attempts) => void begun.push(...attempts) })
    const id = await ground.send('x@example.test', { source: 'webmail' })
    const passedOn = await ground.send('y@example.test', { source: 'forward' })
    await ground.settled(passedOn, 'delivered')
    const [row] = await ground.settled(id, 'deferred')
    assert.deepEqual([row?.attempts, row?.last_reply], [0, 'the sending account is suspended'])
    assert.deepEqual([smtp.messages.length, begun.length], [1, 1])
    await suspend(null)
    ground.clock.advance(3_600_000)
    await ground.settled(id, 'delivered')
    assert.deepEqual([smtp.messages.length, begun.length], [2, 2])
  })
})
