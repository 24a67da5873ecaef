import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createLogger } from '../log.ts'
import { type Database, openDatabase } from './database.ts'
import { openDatabaseClock } from './database-clock.ts'

const log = createLogger({ name: 'clock', level: 'silent' })
const DAY_MS = 86_400_000

describe('the clock of the database', () => {
  let own: TestDatabase
  let database: Database<unknown>
  const setSkew = (days: number) => database.pool.query('update skew set days = $1', [days])

  before(async () => {
    own = await freshDatabase()
    const admin = openDatabase({ url: own.url, poolSize: 1, log })
    // A server whose clock can be set, without setting that of the machine.
    await admin.pool.query(`create table skew (days integer); insert into skew values (0);
      create function public.clock_timestamp() returns timestamptz language sql volatile
        as 'select pg_catalog.clock_timestamp() + (select days from public.skew) * interval ''1 day''';
      do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`)
    await admin.close()
    database = openDatabase({ url: own.url, poolSize: 1, log })
  })
  after(async () => {
    await database.close()
    await own.drop()
  })

  test('is what the database says, also when that is set', async () => {
    await setSkew(100)
    const clock = await openDatabaseClock(database, { log, readEveryMs: 5 })
    const ahead = () => Math.round((clock.now().getTime() - Date.now()) / DAY_MS)
    assert.equal(ahead(), 100)
    await setSkew(0)
    await until(() => ahead() === 0, 'the new time is known')
    clock.stop()
  })

  test('does not jump with the clock of the machine', async (context) => {
    const clock = await openDatabaseClock(database, { log })
    const right = Date.now()
    context.mock.timers.enable({ apis: ['Date'], now: right + 100 * DAY_MS })
    assert.ok(Math.abs(clock.now().getTime() - right) < DAY_MS)
    clock.stop()
  })

  test('goes on while the database does not say the time', async () => {
    const clock = await openDatabaseClock(database, { log, readEveryMs: 5 })
    await database.pool.query('alter table skew rename to gone')
    const first = clock.now().getTime()
    await until(() => clock.now().getTime() > first + 50, 'it goes on')
    clock.stop()
  })
})
