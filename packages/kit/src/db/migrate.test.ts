import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import pg from 'pg'
import { createLogger } from '../log.ts'
import { migrate } from './migrate.ts'

const log = createLogger({ name: 'test', level: 'silent' })
let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'stoa-migrations-'))
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

const put = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
const query = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
const run = (): Promise<void> => migrate(database.url, folder, log)
const applied = async (): Promise<unknown[]> =>
  (await query('select name from migration_hash order by name')).map((row) => Object.values(row ?? {})[0])
const exists = async (relation: string): Promise<boolean> =>
  (await query(`select where to_regclass('${relation}') is not null`)).length > 0

const TRACE = {
  '0001_trace.sql': 'create table trace (id int generated always as identity, step text);',
  '0002_second.sql': "insert into trace (step) values ('second');",
}

describe('migrations', () => {
  test('run in order of their numbers, each once', async () => {
    put({ '0010_tenth.sql': "insert into trace (step) values ('tenth');", ...TRACE, 'schema.sql': 'not run' })
    await run()
    await run()
    put({ '0011_last.sql': "insert into trace (step) values ('last');" })
    await migrate(database.url, pathToFileURL(`${folder}/`), log)
    assert.deepEqual(await query('select step from trace order by id'), [
      { step: 'second' },
      { step: 'tenth' },
      { step: 'last' },
    ])
    assert.deepEqual(await applied(), ['0001_trace', '0002_second', '0010_tenth', '0011_last'])
  })

  test('hold several statements, functions and comments as they are', async () => {
    put({
      '0001_mixed.sql': `-- a comment; with a semicolon
        create table a (id int); insert into a values (1), (2);
        create function f() returns int language plpgsql as $$ begin return (select count(*) from a); end $$;`,
    })
    await run()
    assert.deepEqual(await query('select f()'), [{ f: 2 }])
  })

  test('with a name that has no place in the order are refused before anything runs', async () => {
    put({ ...TRACE, 'fix.sql': 'drop table trace;' })
    await assert.rejects(run(), /Migration fix\.sql must be named like 0001_words\.sql/)
    assert.equal(await exists('trace'), false)
  })

  test('that came in below the newest are refused', async () => {
    put({ ...TRACE, '0005_fifth.sql': 'create table fifth ();' })
    await run()
    put({ '0003_late.sql': 'create table late ();' })
    await assert.rejects(run(), /0003_late|0005_fifth/)
    assert.equal(await exists('late'), false)
  })

  test('changed after they ran, or of another service, are refused with what to do and no stack', async () => {
    put(TRACE)
    await run()
    put({ '0002_second.sql': 'drop table trace;', '0003_third.sql': 'create table third ();' })
    const message = /0002_second\.sql was changed after it ran.*another service's.*new migration/s
    await assert.rejects(run(), { name: 'StartError', message })
    assert.equal(await exists('trace'), true)
    assert.equal(await exists('third'), false)
  })

  test('of a newer version in the database are refused, with what to do', async () => {
    put(TRACE)
    await run()
    rmSync(join(folder, '0002_second.sql'))
    await assert.rejects(run(), /newer version \(0002_second is unknown here\).*backup/s)
    assert.deepEqual(await query('select step from trace'), [{ step: 'second' }])
  })

  test('that fail leave the steps before them whole and nothing of their own', async () => {
    put({
      ...TRACE,
      '0003_broken.sql': "insert into trace (step) values ('half'); select 1/0;",
      '0004_next.sql': 'create table next ();',
    })
    await assert.rejects(run(), /Migration 0003_broken\.sql failed: division by zero/)
    assert.deepEqual(await applied(), ['0001_trace', '0002_second'])
    assert.deepEqual(await query('select step from trace'), [{ step: 'second' }])
    assert.equal(await exists('next'), false)
    put({ '0003_broken.sql': "insert into trace (step) values ('mended');" })
    await run()
    assert.deepEqual(await query('select step from trace order by id'), [{ step: 'second' }, { step: 'mended' }])
    assert.equal(await exists('next'), true)
  })

  test('of a killed process leave whole steps, and the next start goes on', async () => {
    put({ ...TRACE, '0003_slow.sql': "insert into trace (step) values ('slow'); select pg_sleep(1.5);" })
    const child = spawn(process.execPath, ['--input-type=module', '--eval', killedScript()])
    const running = "select from pg_stat_activity where query like '%pg_sleep(1.5)%' and pid <> pg_backend_pid()"
    await until(async () => (await exists('trace')) && (await query(running)).length > 0, 'it is in the middle')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(await applied(), ['0001_trace', '0002_second'])
    put({ '0003_slow.sql': "insert into trace (step) values ('quick');" })
    await run()
    assert.deepEqual(await query('select step from trace order by id'), [{ step: 'second' }, { step: 'quick' }])
  })

  test('started by several processes at once run once', async () => {
    put({ ...TRACE, '0003_slow.sql': "select pg_sleep(0.3); insert into trace (step) values ('slow');" })
    await Promise.all([run(), run(), run(), run()])
    assert.deepEqual(await query('select step from trace order by id'), [{ step: 'second' }, { step: 'slow' }])
  })
})

describe('a migration marked no-transaction', () => {
  test('may build an index concurrently, also while other processes wait for their turn', async () => {
    put({
      ...TRACE,
      '0003_index.sql': '-- no-transaction\ncreate index concurrently if not exists trace_step on trace (step);',
    })
    await Promise.all([run(), run(), run()])
    assert.deepEqual(await applied(), ['0001_trace', '0002_second', '0003_index'])
    assert.deepEqual(await query("select indisvalid from pg_index where indexrelid = 'trace_step'::regclass"), [
      { indisvalid: true },
    ])
  })

  test('without the mark the same is refused, and nothing of it stays', async () => {
    put({ ...TRACE, '0003_index.sql': 'create index concurrently trace_step on trace (step);' })
    await assert.rejects(run(), /0003_index\.sql failed: CREATE INDEX CONCURRENTLY cannot run inside a transaction/)
    assert.equal(await exists('trace_step'), false)
    assert.deepEqual(await applied(), ['0001_trace', '0002_second'])
  })
})

const killedScript = (): string => `
  import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
  import { createLogger } from ${JSON.stringify(new URL('../log.ts', import.meta.url).href)}
  await migrate(${JSON.stringify(database.url)}, ${JSON.stringify(folder)}, createLogger({ name: 'test', level: 'silent' }))`
