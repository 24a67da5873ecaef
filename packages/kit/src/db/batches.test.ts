import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { newId } from '../ids.ts'
import { createLogger } from '../log.ts'
import { deleteSomeOf, eachOnItsOwn, inBatches, inPages, runSteps, togetherOrEach } from './batches.ts'
import { type Database, openDatabase } from './database.ts'

const log = createLogger({ name: 'test', level: 'silent' })

let fresh: TestDatabase
let database: Database<unknown>
before(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ url: fresh.url, poolSize: 2, log })
})
after(async () => {
  await database.close()
  await fresh.drop()
})

describe('rows that are removed in batches', () => {
  for (const [rows, transactions] of [
    [0, 1],
    [9, 1],
    [10, 2],
    [25, 3],
  ] as const)
    test(`${rows} rows in tens take ${transactions} transactions`, async () => {
      await database.pool.query('create table if not exists heap (n int)')
      await database.pool.query('insert into heap select * from generate_series(1, $1)', [rows])
      const seen: unknown[] = []
      const removed = await inBatches(database, 10, async (tx, limit) => {
        const [current] = await tx.query<{ id: string }>({ text: 'select pg_current_xact_id()::text as id' })
        seen.push(current?.id)
        const text = 'delete from heap where ctid = any(array(select ctid from heap limit $1)) returning 1'
        return (await tx.query({ text, values: [limit] })).length
      })
      assert.deepEqual([removed, new Set(seen).size, seen.length], [rows, transactions, transactions])
      assert.deepEqual((await database.pool.query('select * from heap')).rows, [])
    })
})

test('of one thing no more rows go at once than that, over all its tables, and none of others', async () => {
  const [one, other] = [newId(), newId()]
  for (const table of ['first', 'second']) {
    await database.pool.query(`create table ${table} (owner uuid, n int)`)
    await database.pool.query(`insert into ${table} select o, n from generate_series(1, 8) n, unnest($1::uuid[]) o`, [
      [one, other],
    ])
  }
  const all = [
    { table: 'first', column: 'owner', also: 'n > 2' },
    { table: 'second', column: 'owner' },
  ]
  const sizes: number[] = []
  await inBatches(database, 5, async (tx, limit) => {
    const size = await deleteSomeOf(tx, all, { id: one, limit })
    sizes.push(size)
    return size
  })
  const { rows } = await database.pool.query(
    `select (select count(*)::int from first where owner = $1) as first, (select count(*)::int from second where owner = $1) as second,
       (select count(*)::int from first where owner = $2) + (select count(*)::int from second where owner = $2) as others`,
    [one, other],
  )
  assert.deepEqual([sizes, rows], [[5, 5, 4], [{ first: 2, second: 0, others: 16 }]])
})

describe('items that are worked on each on its own', () => {
  test('are all processed, and one that throws is reported and skipped', async () => {
    const failed: string[] = []
    const worked: number[] = []
    const done = await eachOnItsOwn(
      [1, 2, 3, 4],
      async (n) => {
        if (n === 2) throw new Error('bad')
        worked.push(n)
      },
      (error, n) => void failed.push(`${n} ${String(error)}`),
    )
    assert.deepEqual([done, worked, failed], [3, [1, 3, 4], ['2 Error: bad']])
  })

  test('are tried together first, and each on its own when that fails', async () => {
    const tries: number[][] = []
    const failed: number[] = []
    const work = async (items: readonly number[]) => {
      tries.push([...items])
      if (items.includes(2)) throw new Error('bad')
      return items.length
    }
    assert.equal(await togetherOrEach([4, 5], work, (_error, n) => void failed.push(n)), 2)
    assert.equal(await togetherOrEach([1, 2, 3], work, (_error, n) => void failed.push(n)), 2)
    assert.deepEqual([tries, failed], [[[4, 5], [1, 2, 3], [1], [2], [3]], [2]])
  })

  test('come in pages, each behind the last of the page before, however many stay as they are', async () => {
    const all = [1, 2, 3, 4, 5, 6]
    const asked: (number | null)[] = []
    const pages = inPages<number>(2, async (after, limit) => {
      asked.push(after)
      return all.filter((n) => n > (after ?? 0)).slice(0, limit)
    })
    const worked: number[] = []
    await eachOnItsOwn(pages, async (n) => void worked.push(n), assert.ifError)
    assert.deepEqual([worked, asked], [all, [null, 2, 4, 6]])
  })
})

describe('steps in a sequence', () => {
  test('all run, also behind one that fails, and the first failure is thrown at the end', async () => {
    const run: string[] = []
    const step =
      (name: string, isBad = false) =>
      async () => {
        run.push(name)
        if (isBad) throw new Error(`${name} failed`)
      }
    await assert.rejects(runSteps([step('one'), step('two', true), step('three', true), step('four')]), /two failed/)
    assert.deepEqual(run, ['one', 'two', 'three', 'four'])
    await runSteps([step('five')])
    assert.equal(run.at(-1), 'five')
  })
})
