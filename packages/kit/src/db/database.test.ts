import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Generated, sql } from 'kysely'
import { createLogger } from '../log.ts'
import { type Change, type Database, type Db, openDatabase, type Tx } from './database.ts'
import { MANY_ROWS, uuidArray } from './uuid-array.ts'

type Tables = {
  note: { id: Generated<number>; text: string; amount: number }
  reading: { id: number; big: number | null; day: string | null; at: Date | null; data: unknown }
}

const log = createLogger({ name: 'test', level: 'silent' })
let fresh: TestDatabase
let database: Database<Tables>

before(async () => {
  fresh = await freshDatabase()
  database = openDatabase<Tables>({ url: fresh.url, poolSize: 6, log })
  await database.pool.query(`
    create table note (id int generated always as identity primary key, text text not null, amount int not null default 0);
    create table reading (id int primary key, big bigint, day date, at timestamptz, data jsonb)`)
})
after(async () => {
  await database.close()
  await fresh.drop()
})

const addNote = (tx: Tx<Tables>, text: string) =>
  tx.insertInto('note').values({ text, amount: 0 }).returning('id').executeTakeFirstOrThrow()
const listTexts = async (db: Db<Tables>, like: string) =>
  (await db.selectFrom('note').select('text').where('text', 'like', like).orderBy('id').execute()).map(
    (row) => row.text,
  )

describe('types', () => {
  test('a Db cannot write, and does not pass where a Tx is asked', () => {
    // Checked by the compiler; the function is never called.
    const neverCalled = (db: Db<Tables>) => {
      // @ts-expect-error: a Db has no insertInto
      db.insertInto('note')
      // @ts-expect-error: nor updateTable
      db.updateTable('note')
      // @ts-expect-error: nor deleteFrom
      db.deleteFrom('note')
      // @ts-expect-error: nor a transaction of its own
      db.transaction()
      // @ts-expect-error: a writer asks for a Tx
      addNote(db, 'x')
    }
    assert.equal(typeof neverCalled, 'function')
  })

  test('a Tx passes where a Db is asked', async () => {
    const texts = await database.tx(async (tx) => {
      await addNote(tx, 'seen-inside')
      return listTexts(tx, 'seen-%')
    })
    assert.deepEqual(texts, ['seen-inside'])
  })
})

describe('a transaction', () => {
  test('keeps all of it after commit', async () => {
    await database.tx(async (tx) => {
      await addNote(tx, 'kept-1')
      await addNote(tx, 'kept-2')
    })
    assert.deepEqual(await listTexts(database.db, 'kept-%'), ['kept-1', 'kept-2'])
  })

  test('keeps nothing when the callback throws, and passes the error on', async () => {
    const problem = new Error('no')
    const writing = database.tx(async (tx) => {
      await addNote(tx, 'undone')
      throw problem
    })
    await assert.rejects(writing, problem)
    assert.deepEqual(await listTexts(database.db, 'undone'), [])
  })

  test('inside another one is refused', async () => {
    const nested = database.tx(async (tx) => {
      await addNote(tx, 'outer')
      await database.tx((inner) => addNote(inner, 'inner'))
    })
    await assert.rejects(nested, /already open/)
    assert.deepEqual(await listTexts(database.db, '%er'), [])
  })

  test('begun by work that an ended one started is allowed', async () => {
    const ended = Promise.withResolvers<void>()
    let later: Promise<unknown> | undefined
    await database.tx(async () => {
      later = ended.promise.then(() => database.tx((tx) => addNote(tx, 'afterwards')))
    })
    ended.resolve()
    await later
    assert.deepEqual(await listTexts(database.db, 'afterwards'), ['afterwards'])
  })

  test('used after its end is refused', async () => {
    let leaked: Tx<Tables> | undefined
    await database.tx(async (tx) => {
      leaked = tx
    })
    assert.ok(leaked)
    await assert.rejects(addNote(leaked, 'leaked'), /has ended/)
    await assert.rejects(leaked.query({ text: 'select 1' }), /has ended/)
    assert.deepEqual(await listTexts(database.db, 'leaked'), [])
  })

  test('whose failed statement was swallowed does not pretend to have committed', async () => {
    const committed: Change[] = []
    database.onCommit({ after: (changes) => void committed.push(...changes) })
    const writing = database.tx(async (tx) => {
      await addNote(tx, 'swallowed')
      tx.changes.push({ topic: 'swallowed', event: 'x', data: {} })
      await tx.query({ text: 'select 1/0' }).catch(() => undefined)
    })
    await assert.rejects(writing, /nothing was written/)
    assert.deepEqual(await listTexts(database.db, 'swallowed'), [])
    assert.deepEqual(committed, [])
  })

  test('that sends nothing asks nothing of the server', async () => {
    const watch = database.watchStatements()
    assert.equal(await database.tx(async () => 'done'), 'done')
    await assert.rejects(
      database.tx(() => Promise.reject(new Error('before anything was sent'))),
      /before anything/,
    )
    watch.stop()
    assert.deepEqual(watch.texts, [])
  })

  test('begins with its first statement, of whichever kind, and ends with it when that fails', async () => {
    const firsts: Parameters<typeof database.db.query>[0][] = [
      { text: "insert into note (text) values ('first')" },
      { text: "insert into note (text) values ('first'); select 1" },
      { text: 'insert into note (text) values ($1)', values: ['first'] },
      { name: 'first-note', text: 'insert into note (text) values ($1)', values: ['first'] },
      { name: 'first-fixed', text: "insert into note (text) values ('first')" },
    ]
    for (const first of firsts) {
      const watch = database.watchStatements()
      const writing = database.tx(async (tx) => {
        await tx.query(first)
        throw new Error('given up')
      })
      await assert.rejects(writing, /given up/)
      watch.stop()
      assert.deepEqual([watch.texts, watch.roundTrips], [['begin', first.text, 'rollback'], 2])
      assert.deepEqual(await listTexts(database.db, 'first'), [])
    }
    const failing = database.tx((tx) =>
      Promise.all([tx.query({ text: 'select 1/$1::int', values: [0] }), addNote(tx, 'first')]),
    )
    await assert.rejects(failing, /division by zero/)
    assert.deepEqual(await listTexts(database.db, 'first'), [])
  })

  test('whose begin fails writes nothing', async () => {
    const own = openDatabase<Tables>({ url: fresh.url, poolSize: 1, log })
    await own.db.query({ text: 'deallocate begin' })
    const watch = own.watchStatements()
    await assert.rejects(own.tx((tx) => tx.query({ text: 'insert into note (text) values ($1)', values: ['stray'] })))
    watch.stop()
    await own.close()
    assert.equal(watch.texts[0], 'begin')
    assert.deepEqual(await listTexts(database.db, 'stray'), [])
  })

  test('whose first statement is refused unsent begins with the next one', async () => {
    const writing = database.tx(async (tx) => {
      await tx.query({ text: 'select $1', values: ['\ud800'] }).catch(() => undefined)
      await addNote(tx, 'after a refusal')
      throw new Error('given up')
    })
    await assert.rejects(writing, /given up/)
    assert.deepEqual(await listTexts(database.db, 'after a refusal'), [])
  })

  test('runs raw SQL and the builder on the same connection', async () => {
    const same = await database.tx(async (tx) => {
      const [first] = await tx.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
      const second = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      return first?.pid === second.rows[0]?.pid
    })
    assert.equal(same, true)
  })
})

describe('changes', () => {
  const openWatched = () => {
    const events: string[] = []
    const own = openDatabase<Tables>({ url: fresh.url, poolSize: 2, log })
    own.onCommit({
      inside: (changes) => {
        events.push(`inside ${changes.map((change) => change.event)}`)
        return { text: 'insert into note (text) values ($1)', values: [`${changes[0]?.event} inside`] }
      },
      after: (changes) => void events.push(`after ${changes.map((change) => change.event)}`),
    })
    return { own, events }
  }

  test('are passed to hooks inside the transaction and again after commit', async () => {
    const { own, events } = openWatched()
    await own.tx(async (tx) => {
      await addNote(tx, 'committed')
      tx.changes.push({ topic: 'note', event: 'added', data: {} }, { topic: 'note', event: 'committed', data: {} })
    })
    events.push('returned')
    assert.deepEqual(events, ['inside added,committed', 'after added,committed', 'returned'])
    const { rows } = await own.pool.query(`select distinct xmin from note where text in ('committed', 'added inside')`)
    assert.equal(rows.length, 1)
    await own.close()
  })

  test('that a hook inside the transaction rejects are rolled back with it', async () => {
    const { own, events } = openWatched()
    own.onCommit({ inside: () => ({ text: 'select 1/0' }), after: () => void events.push('after') })
    const writing = own.tx(async (tx) => {
      await addNote(tx, 'unpublished')
      tx.changes.push({ topic: 'note', event: 'unpublished', data: {} })
    })
    await assert.rejects(writing, /division by zero/)
    assert.deepEqual(events, ['inside unpublished'])
    assert.deepEqual(await listTexts(own.db, 'unpublished%'), [])
    await own.close()
  })

  test('of a transaction that rolled back are dropped', async () => {
    const { own, events } = openWatched()
    const writing = own.tx(async (tx) => {
      tx.changes.push({ topic: 'note', event: 'added', data: {} })
      throw new Error('no')
    })
    await assert.rejects(writing)
    await own.tx((tx) => addNote(tx, 'quiet'))
    assert.deepEqual(events, [])
    await own.close()
  })

  test('of a retried transaction are published once', async () => {
    const { own, events } = openWatched()
    let tried = 0
    await own.tx(async (tx) => {
      tried += 1
      await addNote(tx, 'again')
      tx.changes.push({ topic: 'note', event: 'added', data: {} })
      if (tried === 1) await tx.query({ text: "do $$ begin raise exception using errcode = '40001'; end $$" })
    })
    assert.equal(tried, 2)
    assert.deepEqual(events, ['inside added', 'after added'])
    await own.close()
  })
})

describe('retries', () => {
  test('a serialization failure repeats the transaction until both effects are there', async () => {
    const { id } = await database.tx((tx) => addNote(tx, 'counter'))
    let [runs, reads] = [0, 0]
    const increment = () =>
      database.tx(async (tx) => {
        runs += 1
        await tx.query({ text: 'set transaction isolation level repeatable read' })
        const { amount } = await tx.selectFrom('note').select('amount').where('id', '=', id).executeTakeFirstOrThrow()
        reads += 1
        await until(() => reads >= 3, 'all have read before one writes')
        await tx
          .updateTable('note')
          .set({ amount: amount + 1 })
          .where('id', '=', id)
          .execute()
      })
    await Promise.all([increment(), increment(), increment()])
    const [row] = await database.db.query<{ amount: number }>({
      text: 'select amount from note where id = $1',
      values: [id],
    })
    assert.equal(row?.amount, 3)
    assert.ok(runs > 3, `${runs} runs`)
  })

  test('a deadlock repeats the transaction that lost', async () => {
    const a = await database.tx((tx) => addNote(tx, 'lock-a'))
    const b = await database.tx((tx) => addNote(tx, 'lock-b'))
    let [runs, locked] = [0, 0]
    const lockBoth = (first: number, second: number) =>
      database.tx(async (tx) => {
        runs += 1
        for (const id of [first, second]) {
          await tx.query({ text: 'update note set amount = amount + 1 where id = $1', values: [id] })
          locked += 1
          await until(() => locked >= 2, 'each holds what the other wants')
        }
      })
    await Promise.all([lockBoth(a.id, b.id), lockBoth(b.id, a.id)])
    const rows = await database.db.query({ text: "select amount from note where text like 'lock-%'" })
    assert.deepEqual(rows, [{ amount: 2 }, { amount: 2 }])
    assert.equal(runs, 3)
  })

  test('end after a few attempts with unavailable', async () => {
    let runs = 0
    const failing = database.tx(async (tx) => {
      runs += 1
      await tx.query({ text: "do $$ begin raise exception using errcode = '40P01'; end $$" })
    })
    await assert.rejects(failing, { kind: 'unavailable' })
    assert.equal(runs, 4)
  })
})

describe('statements sent at once', () => {
  test('run in order and wait once', async () => {
    const watch = database.watchStatements()
    const rows = await database.tx((tx) =>
      Promise.all([addNote(tx, 'at once 1'), addNote(tx, 'at once 2'), listTexts(tx, 'at once%')]),
    )
    watch.stop()
    assert.deepEqual(rows[2], ['at once 1', 'at once 2'])
    assert.equal(watch.texts.length, 5)
    assert.equal(watch.roundTrips, 2)
  })

  test('fail with the first that failed, and nothing of them is written', async () => {
    const writing = database.tx((tx) =>
      Promise.all([
        addNote(tx, 'doomed 1'),
        tx.query({ name: 'divide', text: 'select 1/0' }),
        tx.query({ name: 'late', text: 'select 1' }),
        addNote(tx, 'doomed 2'),
      ]),
    )
    await assert.rejects(writing, /division by zero/)
    assert.deepEqual(await listTexts(database.db, 'doomed%'), [])
    // The connection is as good as before, and what it could not prepare it prepares now.
    const late = await Promise.all(
      Array.from({ length: 6 }, () => database.tx((tx) => tx.query({ name: 'late', text: 'select 1' }))),
    )
    assert.equal(late.flat().length, 6)
  })

  test('are all over before a transaction that gave up has ended', async () => {
    let sent: Promise<unknown> = Promise.resolve()
    const writing = database.tx(async (tx) => {
      sent = Promise.allSettled([tx.query({ text: 'select pg_sleep(0.1)' }), addNote(tx, 'given up')])
      throw new Error('given up')
    })
    await assert.rejects(writing, /given up/)
    await sent
    assert.deepEqual(await listTexts(database.db, 'given up'), [])
  })
})

describe('statements', () => {
  test('are recorded in order until stopped, transaction control included', async () => {
    const watch = database.watchStatements()
    await database.db.selectFrom('note').select('id').limit(1).execute()
    await database.tx((tx) => tx.query({ text: 'select 2' }))
    watch.stop()
    await database.db.query({ text: 'select 3' })
    assert.deepEqual(watch.texts, ['select "id" from "note" limit $1', 'begin', 'select 2', 'commit'])
  })

  test('give counts as numbers, dates as text, instants as Date and JSON as values', async () => {
    await database.pool.query(
      `insert into reading values (1, 9007199254740991, '2026-02-28', '2026-02-28T23:30:00Z', '[1]')`,
    )
    const row = await database.db.selectFrom('reading').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
    assert.deepEqual(row, {
      id: 1,
      big: Number.MAX_SAFE_INTEGER,
      day: '2026-02-28',
      at: new Date('2026-02-28T23:30:00Z'),
      data: [1],
    })
    const { count } = await database.db
      .selectFrom('reading')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(count, 1)
  })

  test('give lists of texts whatever is in them', async () => {
    const lists = [
      [],
      ['a'],
      ['$seen', 'b c'],
      ['', 'NULL', null],
      ['x,y', '{}', '"', '\\', "'"],
      [['a'], ['b']],
      ['ä', '\n'],
    ]
    for (const list of lists) {
      const [row] = await database.db.query({ text: 'select $1::text[] as list', values: [list] })
      assert.deepEqual(row?.list, list)
    }
    // Bounds other than those that go without saying are written before the list.
    const [row] = await database.db.query({ text: `select '[2:3]={a,b}'::text[] as list` })
    assert.deepEqual(row?.list, ['a', 'b'])
  })

  test('never give a wrong number for one that is too large', async () => {
    await assert.rejects(database.db.query({ text: 'select 9007199254740993::bigint' }), RangeError)
    assert.deepEqual(await database.db.query({ text: 'select 1 as one' }), [{ one: 1 }])
  })

  test('take ids in their short form, a few as well as many, and nothing else for one', async () => {
    const asked = async (ids: readonly string[]) => {
      const text =
        'select array(select id::text from unnest($1::uuid[]) with ordinality as given (id, place) order by place) as ids'
      return (await database.db.query<{ ids: string[] }>({ text, values: [uuidArray(ids)] }))[0]?.ids
    }
    for (const count of [0, 1, MANY_ROWS, MANY_ROWS + 1]) {
      const ids = Array.from({ length: count }, () => randomUUID())
      assert.deepEqual(await asked(ids), ids)
      assert.deepEqual(await asked(ids.map((id) => id.toUpperCase())), ids)
    }
    for (const text of ['', 'x', `${randomUUID()}0`, randomUUID().slice(1), randomUUID().replace(/./, 'ä')])
      assert.throws(() => uuidArray([text]), /not a UUID/)
  })

  test('report how many rows they touched', async () => {
    await database.tx(async (tx) => {
      await addNote(tx, 'touch')
      const { numUpdatedRows } = await tx
        .updateTable('note')
        .set({ amount: 1 })
        .where('text', '=', 'touch')
        .executeTakeFirstOrThrow()
      assert.equal(numUpdatedRows, 1n)
    })
  })

  test('with a name are prepared once per connection', async () => {
    const [first] = await database.tx(async (tx) => {
      for (let n = 0; n < 3; n += 1) await tx.query({ name: 'find-note', text: 'select $1::int as n', values: [n] })
      return tx.query<{ count: number }>({
        text: "select count(*) from pg_prepared_statements where name = 'find-note'",
      })
    })
    assert.equal(first?.count, 1)
  })
})
