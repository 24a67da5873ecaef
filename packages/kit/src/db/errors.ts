import { DatabaseError } from 'pg'
import { Fault, fault } from '../errors.ts'

/** Connections the server or the network ended; the statement may or may not have run. */
const CONNECTION_LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // PostgreSQL's own, after which it closes the connection: shutdown or pg_terminate_backend, crash of another
  // session, starting up, database dropped, idle session, transaction idle or open for too long.
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '25P03',
  '25P04',
  // read_only_sql_transaction: the proxy has moved the connection to a standby.
  '25006',
])
/** pg raises these as plain errors without a code. */
const PLAIN_LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end|Client was closed)/

const RETRYABLE = new Set(['40001', '40P01'])
const BUSY = new Set(['40001', '40P01', '55P03', '57014'])

/**
 * The one place that knows PostgreSQL's error codes. Anything the caller's data can cause becomes a Fault that a
 * service renders; what only a bug can cause passes through and ends as an internal error.
 */
export const translateDatabaseError = (error: unknown): unknown => {
  if (error instanceof Fault) return error
  if (isConnectionLost(error) || isServerAway(error)) return fault('unavailable', { retryAfterSeconds: 1 }, error)
  if (!(error instanceof DatabaseError)) return error
  const constraint = error.constraint ?? ''
  switch (error.code) {
    case '23505': // unique_violation
    case '23P01': // exclusion_violation
      return fault('conflict', { constraint }, error)
    case '23503': // foreign_key_violation
      return fault('reference', { constraint }, error)
    case '23514': // check_violation
      return fault('invalid_value', { reason: `breaks the rule ${constraint}` }, error)
    case '22P02': // invalid_text_representation: malformed uuid, number, json
      return fault('invalid_value', { reason: "doesn't have the expected format" }, error)
    case '22021': // character_not_in_repertoire: NUL in text
    case '22P05': // untranslatable_character: \u0000 or a lone surrogate in jsonb
      return fault('invalid_value', { reason: "contains a character that can't be stored" }, error)
    case '22003': // numeric_value_out_of_range
    case '22007': // invalid_datetime_format
    case '22008': // datetime_field_overflow
      return fault('invalid_value', { reason: 'is out of range' }, error)
    case '22001': // string_data_right_truncation
    case '54000': // program_limit_exceeded: a value too large for an index row
      return fault('invalid_value', { reason: 'is too long' }, error)
    case '40001': // serialization_failure, after the retries
    case '40P01': // deadlock_detected, after the retries
    case '55P03': // lock_not_available
    case '57014': // query_canceled: statement_timeout
      return fault('unavailable', { retryAfterSeconds: 1 }, error)
    default:
      return error
  }
}

/** True for the failures that a fresh run of the whole transaction can cure. */
export const isRetryable = (error: unknown): boolean => {
  const cause = error instanceof Fault ? error.cause : error
  return cause instanceof DatabaseError && RETRYABLE.has(cause.code ?? '')
}

/** True when the database was too busy, or a lock not free, in the time that a statement has: nothing was done. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Fault &&
  error.kind === 'unavailable' &&
  error.cause instanceof DatabaseError &&
  BUSY.has(error.cause.code ?? '')

/** True for a statement that was refused only because one before it in the same transaction had failed. */
export const isAborted = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25P02'

/** True when this error means that the named unique constraint refused the row. */
export const isConflict = (error: unknown, constraint: string): boolean =>
  error instanceof Fault && error.kind === 'conflict' && 'constraint' in error.detail
    ? error.detail.constraint === constraint
    : false

/** True when the connection itself is unusable and must not go back to the pool. */
export const isConnectionLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && CONNECTION_LOST.has(error.code)) return true
  return PLAIN_LOST.test(error.message)
}

/** Codes of a connection that was cut while a statement was on it. */
const CUT = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE'])

/** True when the connection was cut under a statement, and another one may well work: not for a server that is away. */
export const isConnectionCut = (error: unknown): boolean => {
  const cause = error instanceof Fault ? error.cause : error
  if (!(cause instanceof Error)) return false
  if ('code' in cause && typeof cause.code === 'string') return CUT.has(cause.code)
  return /^(Connection terminated|Client has encountered a connection error)/.test(cause.message)
}

/** True for failures that end by themselves, once the database answers again. */
export const isOutage = (error: unknown): boolean => {
  if (error instanceof Fault && error.kind !== 'unavailable') return false
  const cause = error instanceof Fault ? error.cause : error
  return isConnectionLost(cause) || isServerAway(cause)
}

const isServerAway = (error: unknown): boolean => {
  if (!(error instanceof DatabaseError)) return false
  const code = error.code ?? ''
  // 08: connection, 53: out of disk, memory or connections, 57P0x: shutdown, 58: I/O error of the server.
  return code.startsWith('08') || code.startsWith('53') || code.startsWith('57P') || code.startsWith('58')
}
