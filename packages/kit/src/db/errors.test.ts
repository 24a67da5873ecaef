import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { Fault, type FaultKind } from '../errors.ts'
import { createLogger } from '../log.ts'
import { type Database, openDatabase } from './database.ts'
import { isConflict, translateDatabaseError } from './errors.ts'

const log = createLogger({ name: 'test', level: 'silent' })
let fresh: TestDatabase
let database: Database<unknown>

before(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ url: fresh.url, poolSize: 2, log })
  await database.pool.query(`
    create table parent (id uuid primary key, name text unique, short varchar(3));
    create table child (parent_id uuid references parent (id), age int, span int4range, data jsonb, words text[],
      constraint child_age check (age > 0), constraint child_span exclude using gist (span with &&));
    insert into parent values ('00000000-0000-7000-8000-000000000001', 'taken');
    insert into child (span) values ('[1,5)')`)
})
after(async () => {
  await database.close()
  await fresh.drop()
})

type Case = { name: string; text: string; values?: unknown[]; kind: FaultKind; detail?: object }

const REFUSED: Case[] = [
  {
    name: 'a duplicate',
    text: 'insert into parent (id, name) values (gen_random_uuid(), $1)',
    values: ['taken'],
    kind: 'conflict',
    detail: { constraint: 'parent_name_key' },
  },
  {
    name: 'an overlap',
    text: "insert into child (span) values ('[4,9)')",
    kind: 'conflict',
    detail: { constraint: 'child_span' },
  },
  {
    name: 'a reference to nothing',
    text: 'insert into child (parent_id) values (gen_random_uuid())',
    kind: 'reference',
    detail: { constraint: 'child_parent_id_fkey' },
  },
  {
    name: 'a broken check',
    text: 'insert into child (age) values ($1)',
    values: [0],
    kind: 'invalid_value',
    detail: { reason: 'breaks the rule child_age' },
  },
  { name: 'NUL in text', text: 'insert into parent (name) values ($1)', values: ['a\0b'], kind: 'invalid_value' },
  {
    name: 'a lone surrogate',
    text: 'insert into parent (name) values ($1)',
    values: ['\ud800'],
    kind: 'invalid_value',
  },
  {
    name: 'a lone surrogate in an array',
    text: 'insert into child (words) values ($1)',
    values: [['fine', 'a\udfff']],
    kind: 'invalid_value',
  },
  {
    name: 'NUL in JSON',
    text: 'insert into child (data) values ($1)',
    values: [JSON.stringify({ a: '\0' })],
    kind: 'invalid_value',
  },
  {
    name: 'a lone surrogate in JSON',
    text: 'insert into child (data) values ($1)',
    values: [{ a: '\ud800' }],
    kind: 'invalid_value',
  },
  { name: 'a malformed uuid', text: 'select from parent where id = $1', values: ['1; drop'], kind: 'invalid_value' },
  { name: 'a malformed number', text: 'select $1::int', values: ['ten'], kind: 'invalid_value' },
  { name: 'an int overflow', text: 'select $1::int', values: ['2147483648'], kind: 'invalid_value' },
  { name: 'a bigint overflow', text: 'select $1::bigint', values: ['9223372036854775808'], kind: 'invalid_value' },
  { name: 'a date that does not exist', text: 'select $1::date', values: ['2026-02-30'], kind: 'invalid_value' },
  { name: 'a malformed date', text: 'select $1::date', values: ['soon'], kind: 'invalid_value' },
  { name: 'a string too long', text: 'update parent set short = $1', values: ['four'], kind: 'invalid_value' },
  {
    name: 'a key too long for its index',
    text: 'insert into parent (id, name) select gen_random_uuid(), string_agg(md5(n::text), $1) from generate_series(1, 500) n',
    values: [''],
    kind: 'invalid_value',
  },
]

describe('a database error', () => {
  for (const { name, text, values, kind, detail } of REFUSED)
    test(`${name} is ${kind}`, async () => {
      const before = await database.db.query({ text: 'select * from parent' })
      const running = database.db.query(values ? { text, values } : { text })
      await assert.rejects(running, (error) => {
        assert.ok(error instanceof Fault, String(error))
        assert.equal(error.kind, kind)
        if (detail) assert.deepEqual(error.detail, detail)
        return true
      })
      assert.deepEqual(await database.db.query({ text: 'select * from parent' }), before)
    })

  test('a statement that takes too long is unavailable', async () => {
    const hasty = openDatabase({ url: fresh.url, poolSize: 1, log, statementTimeoutMs: 100 })
    await assert.rejects(hasty.db.query({ text: 'select pg_sleep(60)' }), { kind: 'unavailable' })
    await hasty.close()
  })

  test('a lock that is not free in time is unavailable', async () => {
    await database.tx(async (tx) => {
      await tx.query({ text: 'lock table child' })
      const other = openDatabase({ url: fresh.url, poolSize: 1, log })
      const waiting = other.tx(async (second) => {
        await second.query({ text: "set local lock_timeout = '50ms'" })
        await second.query({ text: 'select from child' })
      })
      await assert.rejects(waiting, { kind: 'unavailable' })
      await other.close()
    })
  })

  test('of statements sent together is the one that failed first, whichever is waited for', async () => {
    const together = database.tx(async (tx) => {
      const failing = tx.query({ text: 'select pg_sleep(0), 1/0' })
      const following = tx.query({ text: 'select 1' })
      failing.catch(() => undefined)
      await following
    })
    await assert.rejects(together, { code: '22012' })
  })

  test('that only a bug can cause stays as it is', async () => {
    await assert.rejects(database.db.query({ text: 'select nonsense' }), { code: '42703' })
    await assert.rejects(database.db.query({ text: 'selec 1' }), { code: '42601' })
  })

  test('that is no database error, or was translated before, stays as it is', () => {
    const problem = new TypeError('other')
    assert.equal(translateDatabaseError(problem), problem)
    const translated = new Fault('conflict', { constraint: 'x' })
    assert.equal(translateDatabaseError(translated), translated)
    assert.equal(translateDatabaseError(undefined), undefined)
  })

  test('a conflict is identified by the name of its constraint', async () => {
    const inserting = database.db.query({ text: "insert into parent values (gen_random_uuid(), 'taken')" })
    await assert.rejects(inserting, (error) => {
      assert.equal(isConflict(error, 'parent_name_key'), true)
      assert.equal(isConflict(error, 'parent_pkey'), false)
      return true
    })
    assert.equal(isConflict(new Error('parent_name_key'), 'parent_name_key'), false)
  })

  test('leaves the connections usable', async () => {
    const running = Array.from({ length: 20 }, () => database.db.query({ text: 'select 1 as one' }))
    assert.equal((await Promise.all(running)).length, 20)
    assert.ok(database.pool.totalCount <= 2)
  })
})
