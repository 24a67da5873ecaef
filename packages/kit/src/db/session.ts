import pg, { type ClientBase, type PoolClient } from 'pg'
import { fault } from '../errors.ts'
import { translateDatabaseError } from './errors.ts'

/** `end` gives up the connection, with its locks and settings. */
export type DbSession = { client: ClientBase; end(): void }

export type SessionLimits = { statementMs: number; idleInTransactionMs: number; answerMs: number }

const BEGIN = `select pg_is_in_recovery() as "isStandby",
  set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false)`

/**
 * A server that waits, for a lock or for its standby, does not look whether the client is still there: one that gives up and
 * connects again would use up all of its connections. Some servers with PostgreSQL's protocol lack the setting.
 */
export const noticeOurEnd = async (ask: (text: string) => Promise<unknown>): Promise<void> => {
  await ask(`set client_connection_check_interval = '1s'`).catch(() => undefined)
}

/**
 * What a new connection of a pool begins with. The limits do not go with the first packet, in which PgBouncer takes only
 * what it knows. For a while after a fail-over an address may lead to a server that is a standby: it would answer reads
 * from the past and refuse writes, so its connections are not used.
 */
export const beginSession = async (client: PoolClient, limits: SessionLimits): Promise<void> => {
  const values = [String(limits.statementMs), String(limits.idleInTransactionMs)]
  const statement = { text: BEGIN, values, query_timeout: limits.answerMs }
  // Sent together.
  const [{ rows }] = await Promise.all([
    client.query<{ isStandby: boolean }>(statement),
    noticeOurEnd((text) => client.query(text)),
  ])
  if (rows[0]?.isStandby)
    throw fault('unavailable', { retryAfterSeconds: 1 }, new Error('The database server is a standby'))
}

/** A connection outside of the pool. */
export const openDirect = async (url: string, connectTimeoutMs: number): Promise<DbSession> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  // A lost connection also fails the statement that uses it, so this error needs no handling.
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    throw translateDatabaseError(error)
  })
  return { client, end: () => void client.end().catch(() => undefined) }
}
