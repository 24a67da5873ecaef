import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { z } from 'zod'
import { openDatabase } from '../db/database.ts'
import { openBus } from '../events/bus.ts'
import { defineJob, type Job } from './define.ts'
import { createJobs } from './jobs.ts'
import { type JobsTestBench, log, openJobsTestBench } from './test-process.ts'

const greet = defineJob({ name: 'greet', data: z.object({ name: z.string().max(20), at: z.coerce.date().optional() }) })
const fails = defineJob({
  name: 'fails',
  data: z.object({ id: z.number() }),
  retryLimit: 2,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 2,
})
const once = defineJob({ name: 'once', data: z.object({}), retryLimit: 0 })

let bench: JobsTestBench

before(async () => {
  bench = await openJobsTestBench()
})
afterEach(() => bench.reset())
after(() => bench.close())

describe('workers', () => {
  test('belong to a service with tables of its own', async () => {
    const typed = openDatabase<{ note: { id: number } }>({ url: bench.database.directUrl, poolSize: 2, log })
    const typedBus = openBus(typed, { log })
    const seen: string[] = []
    const jobs = createJobs(typed, { log, jobs: [greet], bus: typedBus })
    jobs.work(greet, async ({ data }) => void seen.push(data.name))
    await jobs.start()
    await typed.tx((tx) => jobs.enqueue(tx, greet, { name: 'Ada' }))
    await until(() => seen.length > 0, 'the job')
    await jobs.stop()
    await typedBus.close()
    await typed.close()
  })

  test('of two processes share the jobs, and each job runs once', async () => {
    const runs: number[] = []
    const byWorker = [0, 0]
    const startWorker = (index: number) =>
      bench.start([fails], (set) =>
        set.work(
          fails,
          async ({ data }) => {
            runs.push(data.id)
            byWorker[index] = (byWorker[index] ?? 0) + 1
            await passTime(5, 'so that both workers get their turn')
          },
          { concurrency: 2 },
        ),
      )
    const jobs = await startWorker(0)
    await startWorker(1)
    const ids = Array.from({ length: 200 }, (_, id) => id)
    await bench.database.tx(async (tx) => {
      for (const id of ids) await jobs.enqueue(tx, fails, { id })
    })
    await until(() => runs.length >= 200, 'all jobs')
    await passTime(200, 'a job that runs twice would do so at once')
    assert.deepEqual(
      runs.toSorted((a, b) => a - b),
      ids,
    )
    assert.ok(Math.min(...byWorker) > 0, `shared ${byWorker}`)
  })

  test('run no more jobs at a time than configured', async () => {
    let now = 0
    let most = 0
    let done = 0
    const jobs = await bench.start([fails], (set) =>
      set.work(
        fails,
        async () => {
          now += 1
          most = Math.max(most, now)
          await passTime(50, 'long enough for others to run beside it')
          now -= 1
          done += 1
        },
        { concurrency: 3 },
      ),
    )
    await bench.database.tx(async (tx) => {
      for (let id = 0; id < 12; id += 1) await jobs.enqueue(tx, fails, { id })
    })
    await until(() => done === 12, 'all jobs')
    assert.equal(most, 3)
  })

  test('without a bus find their jobs by looking', async () => {
    const seen: string[] = []
    const jobs = createJobs(bench.database, { log, jobs: [greet], pollSeconds: 0.5 })
    jobs.work(greet, async ({ data }) => void seen.push(data.name))
    await jobs.start()
    await bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'Ada' }))
    await until(() => seen.length > 0, 'the job')
    await jobs.stop()
  })

  test('with nothing to do cost one look for all queues, and still find a job of each in time', async () => {
    const queues = Array.from({ length: 20 }, (_, index) => defineJob({ name: `queue-${index}`, data: z.object({}) }))
    const seen = new Set<string>()
    const jobs = createJobs(bench.database, { log, jobs: queues, pollSeconds: 0.5 })
    for (const queue of queues) jobs.work(queue, async () => void seen.add(queue.name))
    await jobs.start()
    await passTime(500, 'each worker looks once when it starts')
    let statements = 0
    const count = () => {
      statements += 1
    }
    bench.database.pool.on('acquire', count)
    await passTime(3_000, 'the time of six looks')
    bench.database.pool.off('acquire', count)
    assert.ok(statements >= 3 && statements <= 30, `${statements} statements`)
    await bench.database.tx(async (tx) => {
      for (const queue of queues) await jobs.enqueue(tx, queue, {})
    })
    await until(() => seen.size === queues.length, 'a job of each queue')
    await jobs.stop()
  })

  test('open no connections besides the pool and the bus', async () => {
    const jobs = await bench.start([greet, fails, once], (set) => {
      for (const job of [fails, greet, once]) set.work<Job['data']>(job, async () => undefined, { concurrency: 4 })
    })
    await bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'Ada' }))
    await passTime(600, 'the workers look for jobs once more')
    const [row] = await bench.database.db.query<{ count: number }>({
      text: 'select count(*) from pg_stat_activity where datname = current_database()',
    })
    assert.ok((row?.count ?? 99) <= 6, `${row?.count} connections`)
  })
})

describe('start', () => {
  test('brings existing queues to what the jobs say now', async () => {
    await (await bench.start([defineJob({ name: 'tuned', data: z.object({}), retryLimit: 1 })])).stop()
    await bench.start([defineJob({ name: 'tuned', data: z.object({}), retryLimit: 9, retryBackoff: false })])
    const rows = await bench.database.db.query({
      text: "select retry_limit, retry_backoff, dead_letter from jobs.queue where name = 'tuned'",
    })
    assert.deepEqual(rows, [{ retry_limit: 9, retry_backoff: false, dead_letter: 'dead' }])
  })

  test('by several processes at once on an empty database works', async () => {
    const other = await freshDatabase()
    const own = openDatabase({ url: other.url, poolSize: 4, log })
    const all = Array.from({ length: 3 }, () => createJobs(own, { log, jobs: [greet, fails] }))
    await Promise.all(all.map((jobs) => jobs.start()))
    await own.tx((tx) => all[0]?.enqueue(tx, greet, { name: 'Ada' }) ?? assert.fail())
    await Promise.all(all.map((jobs) => jobs.stop()))
    await own.close()
    await other.drop()
  })

  test('refuses names that are no names, doubled or reserved', () => {
    for (const name of ['', "a'b", 'A b', 'x.', '__pgboss__send-it'])
      assert.throws(() => defineJob({ name, data: z.object({}) }), TypeError)
    assert.throws(() => bench.create([greet, greet]), TypeError)
    assert.throws(() => bench.create([defineJob({ name: 'dead', data: z.object({}) })]), TypeError)
  })

  test('is the last moment for workers and schedules', async () => {
    const jobs = await bench.start([greet])
    assert.throws(() => jobs.work(greet, async () => undefined), /before start/)
    assert.throws(() => jobs.schedule(greet, '* * * * *', { name: 'Ada' }), /before start/)
  })
})

describe('a schedule', () => {
  test('runs its job when due, once for all processes', async () => {
    const seen: string[] = []
    for (let count = 0; count < 2; count += 1)
      await bench.start([greet], (set) => {
        set.work(greet, async ({ data }) => void seen.push(data.name))
        set.schedule(greet, '* * * * *', { name: 'minute' }, { tz: 'Europe/Berlin' })
      })
    await until(() => seen.length > 0, 'the scheduled job')
    await passTime(300, 'a second worker would have scheduled it again')
    assert.deepEqual(seen, ['minute'])
  })

  test('that a worker of the job no longer sets is removed, and another process leaves it alone', async () => {
    const names = async () =>
      (await bench.database.db.query<{ name: string }>({ text: 'select name from jobs.schedule order by name' })).map(
        (row) => row.name,
      )
    await bench.start([greet, once], (set) => {
      set.schedule(greet, '0 4 * * *', { name: 'Ada' })
      set.schedule(once, '0 4 * * *', {})
    })
    await bench.start([greet, once])
    assert.deepEqual(await names(), ['greet', 'once'])
    await bench.start([greet, once], (set) => set.work(greet, async () => undefined))
    assert.deepEqual(await names(), ['once'])
    await bench.start([greet])
    assert.deepEqual(await names(), [])
  })

  test('that is none is refused, and so is data that does not fit', async () => {
    await assert.rejects(bench.start([greet], (set) => set.schedule(greet, 'every day', { name: 'Ada' })))
    assert.throws(() => bench.create([greet]).schedule(greet, '* * * * *', { name: 'x'.repeat(21) }), TypeError)
  })
})
