import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Services } from '../../../context.ts'
import { type FieldIndex, INDEX_PREFIX } from '../indexes.ts'

/** Any number that no other lock of this database uses. */
const INDEXES_LOCK = 4_300_004
/** Waiting inside a statement would hold up the very build that is waited for. */
const LOCK_PAUSE_MS = 500

/** A build over millions of rows; longer than the job may take. */
const NO_TIMEOUT = { query_timeout: 24 * 3_600_000 }

/** A connection that builds indexes: the only one in all processes, without a time limit. */
export type IndexConnection = {
  /** Indexes of fields there are; one whose build was cut short is not valid. */
  list(): Promise<{ name: string; isValid: boolean }[]>
  create(index: FieldIndex): Promise<void>
  drop(name: string): Promise<void>
}

/** Gives a connection to build indexes with, outside of any transaction, and cancels its statement on the signal. */
export const withIndexConnection = async (
  { pool }: Services['database'],
  signal: AbortSignal,
  run: (connection: IndexConnection) => Promise<void>,
): Promise<void> => {
  const client = await pool.connect()
  let stopCancelling: (() => void) | undefined
  try {
    stopCancelling = await cancelOn(signal, pool, client)
    await takeLock(client, signal)
    await client.query('set statement_timeout = 0')
    await run(connectionOver(client))
    await client.query('reset statement_timeout')
    await client.query({ text: 'select pg_advisory_unlock($1)', values: [INDEXES_LOCK] })
  } catch (error) {
    // The server lets go of the lock and of the setting when the connection ends.
    stopCancelling?.()
    client.release(true)
    throw error
  }
  stopCancelling()
  client.release()
}

const takeLock = async (client: PoolClient, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>({
      text: 'select pg_try_advisory_lock($1) as taken',
      values: [INDEXES_LOCK],
    })
    if (rows[0]?.taken) return
    await sleep(LOCK_PAUSE_MS, undefined, { signal })
  }
}

/** A closed connection alone would not end the statement: the server notices only when it answers. */
const cancelOn = async (
  signal: AbortSignal,
  pool: Services['database']['pool'],
  client: PoolClient,
): Promise<() => void> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cancel = () => {
    // If the database is away, so is the statement.
    pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined)
  }
  signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}

const connectionOver = (client: PoolClient): IndexConnection => ({
  async list() {
    const { rows } = await client.query<{ name: string; isValid: boolean }>({
      text: `select class.relname as name, index.indisvalid as "isValid"
        from pg_index as index join pg_class as class on class.oid = index.indexrelid
        where index.indrelid = 'entry'::regclass and starts_with(class.relname, $1) order by class.relname`,
      values: [INDEX_PREFIX],
    })
    return rows
  },
  async create({ name, definition }) {
    await client.query({ ...NO_TIMEOUT, text: `create index concurrently ${name} ${definition}` })
  },
  async drop(name) {
    await client.query({ ...NO_TIMEOUT, text: `drop index concurrently if exists ${name}` })
  },
})
