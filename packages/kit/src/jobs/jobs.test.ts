import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { defineJob } from './define.ts'
import type { Jobs } from './jobs.ts'
import { type JobsTestBench, openJobsTestBench } from './test-process.ts'

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

const waiting = (name: string): Promise<unknown[]> =>
  bench.database.db.query({ text: "select data from jobs.job where name = $1 and state = 'created'", values: [name] })

describe('enqueue', () => {
  test('takes a Tx and no Db', () => {
    // Checked by the compiler; the function is never called.
    const neverCalled = (jobs: Jobs, db: Db<unknown>) => {
      // @ts-expect-error: a job is written in a transaction
      jobs.enqueue(db, greet, { name: 'Ada' })
      // @ts-expect-error: the data is typed
      jobs.work(greet, async ({ data }) => void data.age)
    }
    assert.equal(typeof neverCalled, 'function')
  })

  test('in a transaction that rolled back leaves nothing', async () => {
    const jobs = await bench.start([greet])
    const failing = bench.database.tx(async (tx) => {
      await jobs.enqueue(tx, greet, { name: 'Ada' })
      assert.equal((await tx.query({ text: "select from jobs.job where name = 'greet'" })).length, 1)
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual(await waiting('greet'), [])
  })

  test('shows the job to workers after commit, and not before', async () => {
    const seen: string[] = []
    const jobs = await bench.start([greet], (set) => set.work(greet, async ({ data }) => void seen.push(data.name)))
    await bench.database.tx(async (tx) => {
      await jobs.enqueue(tx, greet, { name: 'Ada' })
      await tx.query({ text: 'select pg_sleep(0.8)' })
      assert.deepEqual(seen, [])
    })
    await until(() => seen.length > 0, 'the job')
    assert.deepEqual(seen, ['Ada'])
  })

  test('refuses data that does not fit, and leaves nothing', async () => {
    const jobs = await bench.start([greet])
    for (const wrong of ['{"name":1}', '{}', '{"name":"123456789012345678901"}', 'null', '"Ada"', '[]']) {
      const enqueuing = bench.database.tx((tx) => jobs.enqueue(tx, greet, JSON.parse(wrong)))
      await assert.rejects(enqueuing, /Job greet cannot take this data/, wrong)
    }
    const unstorable = bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'a\0b' }))
    await assert.rejects(unstorable, { kind: 'invalid_value' })
    assert.deepEqual(await waiting('greet'), [])
  })

  test('refuses a job that the service did not list, and any before start', async () => {
    const jobs = bench.create([greet])
    await assert.rejects(
      bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'Ada' })),
      /not started/,
    )
    await jobs.start()
    await assert.rejects(
      bench.database.tx((tx) => jobs.enqueue(tx, fails, { id: 1 })),
      /Job fails is missing/,
    )
  })

  test('passes the data through the schema again for the handler', async () => {
    const seen: unknown[] = []
    const jobs = await bench.start([greet], (set) => set.work(greet, async ({ data }) => void seen.push(data.at)))
    await bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'Ada', at: new Date(5) }))
    await until(() => seen.length > 0, 'the job')
    assert.deepEqual(seen, [new Date(5)])
  })

  test('for later is not run before', async () => {
    let ranAt = 0
    const jobs = await bench.start([greet], (set) =>
      set.work(greet, async () => {
        ranAt = Date.now()
      }),
    )
    const due = Date.now() + 1_500
    await bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'Ada' }, { startAfter: new Date(due) }))
    await until(() => ranAt > 0, 'the job')
    assert.ok(ranAt >= due - 50, `${due - ranAt} ms too early`)
  })
})

describe('a key', () => {
  test('holds one waiting job: the second adds nothing and the earlier start wins', async () => {
    const jobs = await bench.start([greet])
    const add = (name: string, startAfter?: Date) =>
      bench.database.tx((tx) =>
        jobs.enqueue(tx, greet, { name }, { singletonKey: 'k', ...(startAfter && { startAfter }) }),
      )
    const [soon, later] = [new Date(Date.now() + 60_000), new Date(Date.now() + 120_000)]
    const first = await add('first', later)
    assert.equal(await add('second', soon), first)
    assert.equal(await add('third', later), first)
    assert.notEqual(await bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'other' })), first)
    const rows = await bench.database.db.query({
      text: 'select data, start_after from jobs.job where id = $1',
      values: [first],
    })
    assert.deepEqual(rows, [{ data: { name: 'first' }, start_after: soon }])
    assert.equal((await waiting('greet')).length, 2)
  })

  test('of a job that runs already does not hold back the next', async () => {
    const seen: string[] = []
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const jobs = await bench.start([greet], (set) =>
      set.work(greet, async ({ data }) => {
        seen.push(data.name)
        await released
      }),
    )
    const add = (name: string) => bench.database.tx((tx) => jobs.enqueue(tx, greet, { name }, { singletonKey: 'k' }))
    await add('first')
    await until(() => seen.length === 1, 'the first')
    await add('second')
    release()
    await until(() => seen.length === 2, 'the second')
  })

  test('of a waiting job keeps it waiting until the second request has committed', async () => {
    const seen: string[] = []
    const jobs = await bench.start([greet], (set) => set.work(greet, async ({ data }) => void seen.push(data.name)))
    const startAfter = new Date(Date.now() + 400)
    await bench.database.tx((tx) => jobs.enqueue(tx, greet, { name: 'waits' }, { singletonKey: 'k', startAfter }))
    await bench.database.tx(async (tx) => {
      await jobs.enqueue(tx, greet, { name: 'again' }, { singletonKey: 'k' })
      await tx.query({ text: 'select pg_sleep(1.5)' })
      assert.deepEqual(seen, [])
    })
    await until(() => seen.length > 0, 'the job')
    assert.deepEqual(seen, ['waits'])
  })
})

describe('a failing job', () => {
  test('is tried again with growing pauses, then listed as dead, and can be retried', async () => {
    const runs: { attempt: number; at: number }[] = []
    let isMended = false
    const jobs = await bench.start([fails], (set) =>
      set.work(fails, async ({ attempt }) => {
        runs.push({ attempt, at: Date.now() })
        if (!isMended) throw new Error(`broken ${attempt} ${'x'.repeat(5_000)}`)
      }),
    )
    await bench.database.tx((tx) => jobs.enqueue(tx, fails, { id: 7 }))
    await until(async () => (await jobs.listDead({ limit: 10 })).length > 0, 'the dead letter')
    assert.deepEqual(
      runs.map((run) => run.attempt),
      [1, 2, 3],
    )
    const pauses = runs.slice(1).map((run, index) => run.at - (runs[index]?.at ?? 0))
    assert.ok(
      pauses.every((pause) => pause >= 900),
      `pauses ${pauses}`,
    )
    const [dead] = await jobs.listDead({ limit: 10 })
    assert.ok(dead)
    assert.deepEqual(
      { ...dead, id: '', error: '', enqueuedAt: 0, diedAt: 0 },
      {
        ...{ id: '', job: 'fails', data: { id: 7 }, error: '', attempts: 3, enqueuedAt: 0, diedAt: 0 },
      },
    )
    assert.match(dead.error, /^broken 3 x{1,2000}$/)
    assert.ok(dead.enqueuedAt < dead.diedAt)

    isMended = true
    assert.equal(await jobs.retryDead(dead.id), true)
    await until(() => runs.length === 4, 'the retry')
    assert.equal(runs[3]?.attempt, 1)
    assert.deepEqual(await jobs.listDead({ limit: 10 }), [])
    assert.equal(await jobs.retryDead(dead.id), false)
    assert.equal(await jobs.retryDead('1; drop schema jobs'), false)
  })

  test('whose data its handler cannot read is dead at once', async () => {
    const older = await bench.start([greet])
    await bench.database.tx((tx) =>
      older.enqueue(tx, greet, { name: 'Ada' }, { startAfter: new Date(Date.now() + 500) }),
    )
    await older.stop()
    const newer = defineJob({ name: 'greet', data: z.object({ person: z.string() }) })
    let ran = false
    const jobs = await bench.start([newer], (set) =>
      set.work(newer, async () => {
        ran = true
      }),
    )
    await until(async () => (await jobs.listDead({ limit: 1 })).length > 0, 'the dead letter')
    const [dead] = await jobs.listDead({ limit: 1 })
    assert.equal(dead?.attempts, 1)
    assert.match(dead?.error ?? '', /person/)
    assert.equal(ran, false)
  })

  test('that takes too long is aborted and counts as failed', async () => {
    const slow = defineJob({ name: 'slow', data: z.object({}), retryLimit: 0, expireInSeconds: 1 })
    let wasAborted = false
    const jobs = await bench.start([slow], (set) =>
      set.work(slow, async ({ signal }) => {
        await passTime(10_000, 'longer than the job may take', signal).catch(() => undefined)
        wasAborted = signal.aborted
      }),
    )
    await bench.database.tx((tx) => jobs.enqueue(tx, slow, {}))
    await until(async () => (await jobs.listDead({ limit: 1 })).length > 0, 'the dead letter')
    assert.equal(wasAborted, true)
  })

  test('lists the newest dead first, no more than asked for', async () => {
    const jobs = await bench.start([once], (set) => set.work(once, () => Promise.reject(new Error('no'))))
    for (let count = 0; count < 3; count += 1) await bench.database.tx((tx) => jobs.enqueue(tx, once, {}))
    await until(async () => (await jobs.listDead({ limit: 10 })).length === 3, 'the dead letters')
    const all = await jobs.listDead({ limit: 10 })
    assert.deepEqual(
      all.map((dead) => dead.diedAt.getTime()),
      all.map((dead) => dead.diedAt.getTime()).sort((a, b) => b - a),
    )
    assert.deepEqual(await jobs.listDead({ limit: 2 }), all.slice(0, 2))
  })
})
