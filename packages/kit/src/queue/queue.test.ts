import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { freshDatabase, PATIENT } from '@stoa/tests/lib/cluster.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { newId } from '../ids.ts'
import { createLogger } from '../log.ts'
import { createQueueTable, type QueueColumns } from './table.ts'
import { createQueueWorker, type QueueWorker, type QueueWorkerOptions } from './worker.ts'

type Task = { note: string }

const COLUMNS: QueueColumns = {
  table: 'task',
  id: 'id',
  key: 'target',
  dueAt: 'due_at',
  fence: 'claims',
  isOpen: 'not exists (select from paused p where p.target = waiting.key)',
  columns: 'item.note',
}
const tasks = createQueueTable<Task>(COLUMNS)
const orderedTasks = createQueueTable<Task>({ ...COLUMNS, isInOrder: true })
const log = createLogger({ name: 'test', level: 'silent' })

let database: Database<unknown>
let drop: () => Promise<void>
let workers: QueueWorker[]

before(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = openDatabase<unknown>({ url: fresh.url, poolSize: 8, log, ...PATIENT })
  await database.pool.query(`
    create table task (id text primary key, target text not null, note text not null, due_at timestamptz,
      claims integer not null default 0, result text);
    create index task_due on task (target, due_at, id) where due_at is not null;
    create table paused (target text primary key)`)
})
after(async () => {
  await database.close()
  await drop()
})
beforeEach(async () => {
  workers = []
  await database.pool.query('truncate task, paused')
})
afterEach(() => Promise.all(workers.map((worker) => worker.stop(0))))

const add = async (target: string, note = '', dueAt = new Date()): Promise<string> => {
  const id = newId()
  await database.pool.query('insert into task (id, target, note, due_at) values ($1, $2, $3, $4)', [
    id,
    target,
    note,
    dueAt,
  ])
  return id
}
const read = async (id: string) => {
  const { rows } = await database.pool.query('select due_at, claims, result from task where id = $1', [id])
  return rows[0] as { due_at: Date | null; claims: number; result: string | null }
}
const rowsDone = async () => (await database.pool.query('select 1 from task where due_at is null')).rows.length
type Options = Partial<QueueWorkerOptions<unknown, Task>>
const workerOf = (options: Options = {}): QueueWorker => {
  const worker = createQueueWorker<unknown, Task>({
    database,
    table: tasks,
    name: 'a task',
    log,
    now: () => new Date(),
    leaseMs: 60_000,
    async work(claim) {
      await database.tx((tx) => tasks.settle(tx, claim, { dueAt: null, set: { result: claim.row.note } }))
    },
    ...options,
  })
  workers.push(worker)
  return worker
}
const claimOne = async (table = tasks, leaseMs = 60_000) => {
  const now = new Date()
  const room = { lane: 'healthy', limit: 1, perKey: 1, slotsLeft: new Map<string, number>() } as const
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const [claim] = await database.tx((tx) => table.claim(tx, { ...room, now, leaseUntil }))
  return claim
}

describe('a queue of any table', () => {
  test('is worked off by several workers, each row once, beginning with what was left', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => add(`t${n % 7}`, String(n))))
    const seen: string[] = []
    const work: Options['work'] = async (claim) => {
      seen.push(claim.id)
      await database.tx((tx) => tasks.settle(tx, claim, { dueAt: null, set: { result: 'done' } }))
    }
    for (const worker of [workerOf({ work }), workerOf({ work })]) worker.start()
    await until(async () => (await rowsDone()) === 60, 'all are done')
    assert.deepEqual(seen.sort(), ids.sort())
  })

  test('has few slots for each key and in all, and a long queue of one keeps nobody waiting', async () => {
    for (let n = 0; n < 40; n += 1) await add('busy')
    await add('other', 'late')
    const now = new Map<string, number>()
    const most = new Map<string, number>()
    const order: string[] = []
    const count = (name: string, by: number) => {
      now.set(name, (now.get(name) ?? 0) + by)
      most.set(name, Math.max(most.get(name) ?? 0, now.get(name) ?? 0))
    }
    const worker = workerOf({
      limits: { healthy: 3, perKey: 2 },
      async work(claim) {
        order.push(claim.key)
        for (const name of [claim.key, 'all']) count(name, 1)
        await passTime(2, 'long enough for others to run beside it')
        for (const name of [claim.key, 'all']) count(name, -1)
        await database.tx((tx) => tasks.settle(tx, claim, { dueAt: null }))
      },
    })
    await worker.runDue()
    assert.equal(await rowsDone(), 41)
    assert.ok(order.indexOf('other') < 3, String(order.indexOf('other')))
    assert.deepEqual(Object.fromEntries(most), { busy: 2, other: 1, all: 3 })
  })

  test('goes on when one piece of work fails; that one is due again when its lease ends', async () => {
    const bad = await add('a', 'bad')
    const good = await add('b', 'good')
    const alsoGood = await add('a', 'good')
    const work: Options['work'] = async (claim) => {
      if (claim.row.note === 'bad') throw new Error('this record is broken')
      await database.tx((tx) => tasks.settle(tx, claim, { dueAt: null, set: { result: 'done' } }))
    }
    await workerOf({ work }).runDue()
    assert.deepEqual([(await read(good)).result, (await read(alsoGood)).result], ['done', 'done'])
    const { due_at: dueAt, result, claims } = await read(bad)
    assert.deepEqual([result, claims, dueAt !== null && dueAt.getTime() > Date.now() + 30_000], [null, 1, true])
  })

  test('leaves keys alone that are paused', async () => {
    await database.pool.query(`insert into paused values ('a')`)
    const held = await add('a')
    const free = await add('b')
    await workerOf().runDue()
    assert.deepEqual([(await read(held)).claims, (await read(free)).claims], [0, 1])
  })
})

describe('a claim', () => {
  test('whose worker died is taken again after its lease, and the late result changes nothing', async () => {
    const id = await add('a', 'mine')
    const late = await claimOne(tasks, 50)
    assert.ok(late)
    assert.equal(await claimOne(), undefined, 'the lease protects it')
    const taken = await until(() => claimOne(), 'the lease is over')
    assert.equal(taken?.fence, 2)
    const before = await read(id)
    const write = { dueAt: null, set: { result: 'late' } }
    assert.equal(await database.tx((tx) => tasks.settle(tx, late, write)), false)
    assert.equal(await database.tx((tx) => tasks.extend(tx, late, new Date())), false)
    assert.equal(await database.tx((tx) => tasks.release(tx, late, new Date())), false)
    assert.deepEqual(await read(id), before)
    assert.equal(await database.tx((tx) => tasks.settle(tx, taken, { ...write, set: { result: 'right' } })), true)
    assert.deepEqual(await read(id), { due_at: null, claims: 2, result: 'right' })
    assert.equal(await database.tx((tx) => tasks.settle(tx, taken, write)), false, 'a claim is settled once')
  })

  test('is kept by work that takes longer than its lease', async () => {
    const id = await add('a')
    let runs = 0
    const work: Options['work'] = async (claim) => {
      runs += 1
      await passTime(2_500, 'longer than the lease, which is renewed meanwhile')
      await database.tx((tx) => tasks.settle(tx, claim, { dueAt: null, set: { result: 'done' } }))
    }
    for (const worker of [1, 2].map(() => workerOf({ work, leaseMs: 1_200, isExtended: true, pollMs: 50 })))
      worker.start()
    await until(async () => (await rowsDone()) === 1, 'it is done')
    assert.deepEqual([runs, (await read(id)).claims], [1, 1])
  })

  test('that another worker took ends the work, which gives nothing back', async () => {
    const id = await add('a')
    const ended: unknown[] = []
    const worker = workerOf({
      leaseMs: 150,
      isExtended: true,
      work: (_claim, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            ended.push(signal.reason)
            reject(signal.reason)
          }),
        ),
    })
    const running = worker.runDue()
    await until(async () => (await read(id)).claims === 1, 'it is claimed')
    const later = new Date(Date.now() + 3_600_000)
    await database.pool.query('update task set claims = claims + 1, due_at = $1', [later])
    await running
    assert.match(String(ended[0]), /lease of a task was lost/)
    assert.deepEqual(await read(id), { due_at: later, claims: 2, result: null })
  })

  test('of a stopping worker is given back for another', async () => {
    const id = await add('a', 'x')
    const hanging = workerOf({
      work: (_claim, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    hanging.start()
    await until(async () => (await read(id)).claims === 1, 'it is claimed')
    await hanging.stop(10)
    assert.ok(((await read(id)).due_at?.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now())
    await workerOf().runDue()
    assert.deepEqual(await read(id), { due_at: null, claims: 2, result: 'x' })
  })
})

describe('waking', () => {
  test('happens when the next row is due, however long the poll is', async () => {
    const worker = workerOf({ isTimed: true, pollMs: 600_000 })
    await add('a', '', new Date(Date.now() + 300))
    await add('b', '', new Date(Date.now() + 600))
    worker.start()
    await until(async () => (await rowsDone()) === 2, 'both are done')
  })

  test('is not left to the poll when a row becomes due in the middle of a look', async () => {
    const due = new Date(Date.now() - 1_000)
    let asked = 0
    const now = () => {
      asked += 1
      return asked === 1 ? new Date(due.getTime() - 1) : new Date()
    }
    const worker = workerOf({ isTimed: true, pollMs: 600_000, now })
    await add('a', '', due)
    worker.start()
    await until(async () => (await rowsDone()) === 1, 'it is done')
  })

  test('happens at once when asked, also from inside a transaction', async () => {
    let hasLooked = false
    const run = async () => {
      hasLooked = true
      return { hasMore: false }
    }
    const worker = workerOf({ pollMs: 600_000, upkeep: { everyMs: 600_000, run } })
    worker.start()
    await until(() => hasLooked, 'its look at the start is over; the next would come in ten minutes')
    await database.tx(async (tx) => {
      await tx.query({ text: `insert into task (id, target, note, due_at) values ('x', 'a', '', now())` })
      worker.wake()
    })
    worker.wake()
    await until(async () => (await rowsDone()) === 1, 'it is done')
  })
})

describe('a queue in order', () => {
  test('does the rows of one key one after the other; a retry holds up its key and no other', async () => {
    const [first, second, other] = [await add('a', '1'), await add('a', '2'), await add('b', '3')]
    const order: string[] = []
    let failures = 1
    const worker = workerOf({
      table: orderedTasks,
      async work(claim) {
        order.push(claim.row.note)
        const isFailed = claim.id === first && failures > 0
        if (isFailed) failures -= 1
        const dueAt = isFailed ? new Date(Date.now() + 3_600_000) : null
        await database.tx((tx) => orderedTasks.settle(tx, claim, { dueAt }))
      },
    })
    await worker.runDue()
    assert.deepEqual(order.toSorted(), ['1', '3'])
    assert.deepEqual([(await read(second)).claims, (await read(other)).due_at], [0, null])
    await database.pool.query('update task set due_at = $2 where id = $1', [first, new Date()])
    await worker.runDue()
    assert.deepEqual(order.slice(2), ['1', '2'])
  })

  test('keeps the order between processes', async () => {
    await add('a', '1')
    await add('a', '2')
    const claim = await claimOne(orderedTasks)
    assert.equal(claim?.row.note, '1')
    assert.equal(await claimOne(orderedTasks), undefined)
    await database.tx((tx) => orderedTasks.settle(tx, claim, { dueAt: null }))
    assert.equal((await claimOne(orderedTasks))?.row.note, '2')
  })
})
