import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { deleteOldDestinations, deleteOldSoftBounces } from './queries.ts'
import { ACCOUNT_ID, openGround, type QueueGround } from './testing/ground.ts'

let ground: QueueGround
before(async () => {
  ground = await openGround()
})
after(() => ground.close())

const countOf = async (table: string) =>
  (await ground.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count

test('what is old is removed, so many rows per transaction, and nothing that is young', async () => {
  const queue = await ground.start(1)
  const now = ground.clock.now()
  const old = new Date(now.getTime() - 31 * 86_400_000)
  for (const [at, rows] of [
    [old, 1_200],
    [now, 3],
  ] as const) {
    await ground.query(
      `insert into soft_bounce (account_id, email, created_at, message_id)
       select $1::uuid, n || '@example.test', $2::timestamptz, gen_random_uuid() from generate_series(1, $3::int) n`,
      [ACCOUNT_ID, at, rows],
    )
    await ground.query(
      `insert into queue_destination (domain, failures, failing_since, retry_at)
       select n || '.' || $3 || '.test', 1, $1::timestamptz, $1::timestamptz from generate_series(1, $2::int) n`,
      [at, rows, at.getTime()],
    )
  }
  for (const deleteSome of [deleteOldSoftBounces, deleteOldDestinations])
    assert.equal(await ground.database.tx((tx) => deleteSome(tx, now, 500)), 500)
  await queue.prune()
  assert.deepEqual([await countOf('soft_bounce'), await countOf('queue_destination')], [3, 3])
})

test('what cannot be removed of one kind keeps nothing of the others', async (t) => {
  const queue = await ground.start(1)
  const old = new Date(ground.clock.now().getTime() - 31 * 86_400_000)
  await ground.query(
    `insert into soft_bounce (account_id, email, created_at, message_id) values ($1, 'bad@example.test', $2, gen_random_uuid())`,
    [ACCOUNT_ID, old],
  )
  await ground.query(
    `insert into queue_destination (domain, failures, failing_since, retry_at) values ('old.test', 1, $1, $1)`,
    [old],
  )
  t.after(await failOn(ground.database, 'delete', 'soft_bounce', `old.email = 'bad@example.test'`))
  await assert.rejects(queue.prune())
  const [left] = await ground.query<{ count: number }>(
    `select count(*) as count from queue_destination where domain = 'old.test'`,
  )
  assert.equal(left?.count, 0)
})
