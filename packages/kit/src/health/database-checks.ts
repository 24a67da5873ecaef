import type { Db } from '../db/database.ts'
import { SCHEMA } from '../jobs/dead-letters.ts'
import type { Finding } from './health.ts'

/** The database of any service. */
export type AnyDb = Pick<Db<unknown>, 'query'>

export type DatabaseFacts = {
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  autovacuum: string
  version: number
  maxConnections: number
  connections: number
  /** The age of the oldest unfrozen row, in transactions. */
  transactionAge: number
}

/** Settings that decide whether what was acknowledged survives, and whether there is room to connect. */
export const checkDatabase = async (db: AnyDb): Promise<Finding> => {
  const [facts] = await db.query<DatabaseFacts>({
    text: `select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
             current_setting('synchronous_commit') as "synchronousCommit", current_setting('autovacuum') as autovacuum,
             current_setting('server_version_num')::int as version,
             current_setting('max_connections')::int as "maxConnections",
             (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
             (select max(age(datfrozenxid)) from pg_database) as "transactionAge"`,
  })
  if (!facts) throw new Error('the settings returned no row')
  return judgeDatabase(facts)
}

const OLDEST_VERSION = 160_000
const CROWDED = 0.85
/** PostgreSQL stops writing at 2.1 billion; it vacuums by itself from 200 million on, and in haste from 1.6 billion on. */
const OLD_TRANSACTIONS = { warning: 1_000_000_000, error: 1_600_000_000 }

export const judgeDatabase = (facts: DatabaseFacts): Finding => {
  const { connections, maxConnections, version } = facts
  const unsafe = [
    ...(facts.fsync === 'on' ? [] : ['fsync']),
    ...(facts.fullPageWrites === 'on' ? [] : ['full_page_writes']),
  ]
  if (unsafe.length > 0)
    return {
      status: 'error',
      message: `PostgreSQL can lose data in a crash: ${unsafe.join(' and ')} ${unsafe.length === 1 ? 'is' : 'are'} off.`,
      action: `Set ${unsafe.map((name) => `${name} = on`).join(' and ')} in postgresql.conf.`,
    }
  if (facts.synchronousCommit === 'off')
    return {
      status: 'warning',
      message: 'PostgreSQL can lose the latest changes in a crash: synchronous_commit is off.',
      action: 'Set synchronous_commit = on in postgresql.conf.',
    }
  if (facts.autovacuum !== 'on')
    return {
      status: 'warning',
      message: 'Autovacuum is off, so tables keep growing.',
      action: 'Set autovacuum = on in postgresql.conf.',
    }
  if (version < OLDEST_VERSION)
    return {
      status: 'warning',
      message: `PostgreSQL ${Math.floor(version / 10_000)} is older than version 16.`,
      action: 'Upgrade PostgreSQL.',
    }
  const wraparound = judgeTransactionAge(facts.transactionAge)
  if (wraparound !== null) return wraparound
  const message = `${connections} of ${maxConnections} database connections are in use.`
  if (connections > maxConnections * CROWDED)
    return {
      status: 'warning',
      message,
      action: 'Raise max_connections of PostgreSQL, or lower DB_POOL_SIZE.',
      value: connections,
    }
  return { status: 'ok', message, value: connections }
}

const judgeTransactionAge = (age: number): Finding | null => {
  if (age < OLD_TRANSACTIONS.warning) return null
  return {
    status: age < OLD_TRANSACTIONS.error ? 'warning' : 'error',
    message: `Autovacuum doesn't keep up: the oldest transaction is ${Math.round(age / 1e6)} million old. At 2,100 million, PostgreSQL stops writing.`,
    action: 'Run "vacuumdb --all --freeze", and end old prepared transactions and unused replication slots.',
    value: age,
  }
}

/** Whether this machine and the database agree about the time. */
export const checkClock = async (db: AnyDb): Promise<Finding> => {
  const asked = Date.now()
  const [row] = await db.query<{ now: Date }>({ text: 'select clock_timestamp() as now' })
  if (!row) throw new Error('the clock returned no row')
  return judgeClock(row.now.getTime() - (asked + Date.now()) / 2)
}

export const judgeClock = (differenceMs: number): Finding => {
  const seconds = Math.round(Math.abs(differenceMs) / 100) / 10
  const message = `The clocks of this server and the database differ by ${seconds} s.`
  const action = 'Synchronize the clocks of all servers with NTP.'
  if (seconds > 60) return { status: 'error', message, action, value: seconds }
  if (seconds > 2) return { status: 'warning', message, action, value: seconds }
  return { status: 'ok', message: 'The clocks of this server and the database agree.', value: seconds }
}

/** Background jobs whose last run within a day failed. */
export const checkJobs = async (db: AnyDb): Promise<Finding> => {
  const [known] = await db.query<{ exists: boolean }>({
    text: 'select to_regclass($1) is not null as exists',
    values: [`${SCHEMA}.job`],
  })
  if (!known?.exists) return judgeJobs([])
  const rows = await db.query<{ name: string }>({
    text: `select name from (
             select distinct on (name) name, state from ${SCHEMA}.job
             where completed_on > now() - interval '1 day' order by name, completed_on desc
           ) last where state = 'failed' order by name`,
  })
  return judgeJobs(rows.map(({ name }) => name))
}

export const judgeJobs = (failing: readonly string[]): Finding =>
  failing.length === 0
    ? { status: 'ok', message: 'All background jobs work.', value: 0 }
    : {
        status: 'warning',
        message: `Failing background jobs: ${failing.join(', ')}.`,
        action: 'Check the log for the reason of each failure.',
        value: failing.length,
      }
