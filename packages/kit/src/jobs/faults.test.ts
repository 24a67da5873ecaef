import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { z } from 'zod'
import { defineJob } from './define.ts'
import { type JobsTestBench, openJobsTestBench } from './test-process.ts'

const count = defineJob({
  name: 'count',
  data: z.object({ id: z.number() }),
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
})

let bench: JobsTestBench

before(async () => {
  bench = await openJobsTestBench()
})
afterEach(() => bench.reset())
after(() => bench.close())

const stateOf = async (id: string): Promise<unknown> => {
  const [row] = await bench.database.db.query<{ state: string; attempt: number }>({
    text: 'select state, retry_count + 1 as attempt from jobs.job where id = $1',
    values: [id],
  })
  return row
}

describe('a database that ends all connections again and again', () => {
  test('loses no job, and the work goes on by itself', async () => {
    const done = new Set<number>()
    const acknowledged: number[] = []
    const jobs = await bench.start([count], (set) =>
      set.work(
        count,
        async ({ data }) => {
          await bench.database.db.query({ text: 'select pg_sleep(0.01)' })
          done.add(data.id)
        },
        { concurrency: 2 },
      ),
    )
    let isOver = false
    const killing = (async () => {
      for (let round = 0; round < 5; round += 1) {
        await passTime(300, 'the database works for a while between two cuts')
        await bench.database.db
          .query({
            text: `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
          })
          .catch((error: Error) => assert.equal(error.message, 'unavailable'))
      }
      isOver = true
    })()
    for (let id = 0; !isOver || acknowledged.length <= 10; id += 1) {
      await bench.database
        .tx((tx) => jobs.enqueue(tx, count, { id }))
        .then(
          () => acknowledged.push(id),
          (error: Error) => assert.equal(error.message, 'unavailable'),
        )
      await passTime(10, 'jobs arrive over the time of the cuts')
    }
    await killing
    await until(() => acknowledged.every((id) => done.has(id)), 'every acknowledged job')
    assert.equal(bench.database.pool.waitingCount, 0)
    assert.ok(bench.database.pool.totalCount <= 5)
  })
})

describe('a worker that lost its claim', () => {
  test('has its job given to another, is notified, and its late result is refused', async () => {
    const attempts: number[] = []
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let lateSignal: AbortSignal | undefined
    const jobs = await bench.start([count], (set) =>
      set.work(
        count,
        async ({ attempt, signal }) => {
          attempts.push(attempt)
          if (attempt > 1) return
          lateSignal = signal
          await released
          throw new Error('too late')
        },
        { concurrency: 2 },
      ),
    )
    const id = await bench.database.tx((tx) => jobs.enqueue(tx, count, { id: 1 }))
    await until(() => attempts.length === 1, 'the first run')
    // As if its process had stood still for a minute: the watch gives the job back.
    const forget = () =>
      bench.database.pool.query(
        "update jobs.job set heartbeat_on = now() - interval '1 minute' where id = $1 and retry_count = 0",
        [id],
      )
    await until(async () => {
      await forget()
      return attempts.length === 2
    }, 'the second run')
    await until(() => lateSignal?.aborted === true, 'the signal')
    await until(async () => isDeepStrictEqual(await stateOf(id), { state: 'completed', attempt: 2 }), 'the result')
    release()
    await passTime(300, 'the late result of the first run would be written by now')
    assert.deepEqual(await stateOf(id), { state: 'completed', attempt: 2 })
    assert.deepEqual(attempts, [1, 2])
  })
})

describe('stop', () => {
  test('lets the running job finish', async () => {
    let isDone = false
    let hasBegun = false
    const jobs = await bench.start([count], (set) =>
      set.work(count, async () => {
        hasBegun = true
        await passTime(500, 'a job that is under way when the stop comes')
        isDone = true
      }),
    )
    const id = await bench.database.tx((tx) => jobs.enqueue(tx, count, { id: 1 }))
    await until(() => hasBegun, 'the run')
    await jobs.stop()
    assert.equal(isDone, true)
    assert.deepEqual(await stateOf(id), { state: 'completed', attempt: 1 })
  })

  test('at the deadline aborts the running job and gives it back', async () => {
    let hasBegun = false
    let wasAborted = false
    const jobs = await bench.start([count], (set) =>
      set.work(count, async ({ signal }) => {
        hasBegun = true
        await passTime(60_000, 'a job that ends only when it is aborted', signal).catch(() => undefined)
        wasAborted = signal.aborted
      }),
    )
    const id = await bench.database.tx((tx) => jobs.enqueue(tx, count, { id: 1 }))
    await until(() => hasBegun, 'the run')
    await jobs.stop()
    await until(() => wasAborted, 'the signal')
    assert.deepEqual(await stateOf(id), { state: 'retry', attempt: 1 })

    const attempts: number[] = []
    await bench.start([count], (set) => set.work(count, async ({ attempt }) => void attempts.push(attempt)))
    await until(() => attempts.length === 1, 'the run elsewhere')
    assert.deepEqual(attempts, [2])
  })

  test('does not wait for a look at the queues that the database keeps waiting', async () => {
    const jobs = await bench.start([count], (set) => set.work(count, async () => undefined))
    const isLooking = async () => {
      const { rowCount } = await bench.database.pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%unnest($1::text[]) as q (name)%'",
      )
      return rowCount === 1
    }
    await bench.database.tx(async (tx) => {
      await tx.query({ text: 'lock table jobs.job in access exclusive mode' })
      await until(isLooking, 'a look that waits')
      await jobs.stop()
      assert.equal(await isLooking(), true)
    })
  })

  test('takes no further jobs, and what is enqueued meanwhile waits', async () => {
    let runs = 0
    const jobs = await bench.start([count], (set) =>
      set.work(count, async () => {
        runs += 1
      }),
    )
    await jobs.stop()
    const id = await bench.database.tx((tx) => jobs.enqueue(tx, count, { id: 1 }))
    await passTime(700, 'a worker that was not stopped would have looked by now')
    assert.equal(runs, 0)
    assert.deepEqual(await stateOf(id), { state: 'created', attempt: 1 })
  })
})
