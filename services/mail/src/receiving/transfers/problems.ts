import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { StoreRefusal } from '../../store/store.ts'

/** Why a transfer cannot go on. The message is for its owner and says what to do. */
export class TransferProblem extends Error {
  override readonly name = 'TransferProblem'
  /** Whether trying again could help. */
  readonly isTemporary: boolean

  constructor(message: string, { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.isTemporary = isTemporary
  }
}

/** The transfer is not ours any more: canceled, its address deleted, or taken over by another process. */
export class TransferLost extends Error {
  override readonly name = 'TransferLost'
}

/**
 * The error as shown to its owner, without the source's text, which could include anything, even the password. Null for
 * unexpected errors.
 */
export const problemOf = (error: unknown): TransferProblem | null => {
  if (error instanceof TransferProblem) return error
  if (error instanceof EgressRefused) return new TransferProblem(UNREACHABLE, { cause: error })
  if (error instanceof EgressFailed) return new TransferProblem(UNREACHABLE, { isTemporary: true, cause: error })
  if (error instanceof StoreRefusal) return storeProblem(error)
  if (error instanceof Fault)
    return error.kind === 'unavailable' ? new TransferProblem(BUSY, { isTemporary: true, cause: error }) : null
  return error instanceof Error ? sourceProblem(error) : null
}

export const UNEXPECTED = 'The server ran into an unexpected error.'

/** The text of a problem while the transfer waits, and when it is final. */
export const waitingText = (message: string): string => `${message} Retrying.`
export const lastText = (message: string): string =>
  `${message} Start the transfer again later. Nothing is copied twice.`

/** Whether the source refused one command for good and would take another. */
export const isRefusedCommand = (error: unknown): boolean =>
  error instanceof Error &&
  ['NO', 'BAD'].includes(textOf(error, 'responseStatus')) &&
  textOf(error, 'code') !== 'ETHROTTLE' &&
  !NOT_NOW.includes(textOf(error, 'serverResponseCode'))

export const LOST = 'The connection to the server was lost.'
export const MALFORMED = "The server doesn't respond like an IMAP server. Check its name and port."

const UNREACHABLE = "Couldn't connect to the server. Check its name and port: 993 with TLS, 143 with STARTTLS."
const NOT_SECURE =
  "Couldn't make a secure connection with a valid certificate. Check the server name, port and security: TLS for port 993, STARTTLS for port 143."
const REFUSED =
  'The server rejected the username or password. Check both. Many providers require an app password and IMAP turned on in their settings.'
const NEEDS_TLS = "The server doesn't accept passwords without encryption. Choose TLS or STARTTLS."
const BUSY_SOURCE = 'The server has too many connections.'
const SLOWER = 'The server asked us to wait.'
const BUSY = 'The service was busy.'
const MAILBOX_FULL =
  'The mailbox is full. Raise its quota or delete mail, then start the transfer again. Nothing is copied twice.'

const storeProblem = (error: StoreRefusal): TransferProblem => {
  if (error.kind === 'over_quota') return new TransferProblem(MAILBOX_FULL, { cause: error })
  if (error.kind === 'too_many')
    return new TransferProblem('There are too many folders. Skip some of them.', { cause: error })
  return new TransferProblem(BUSY, { isTemporary: true, cause: error })
}

/** RFC 5530 §3: not now. */
const NOT_NOW = ['UNAVAILABLE', 'INUSE', 'LIMIT']

const sourceProblem = (error: Error): TransferProblem | null => {
  const code = textOf(error, 'code')
  const temporary = (message: string) => new TransferProblem(message, { isTemporary: true, cause: error })
  if (error.message === 'Login is disabled') return new TransferProblem(NEEDS_TLS, { cause: error })
  if (NOT_NOW.includes(textOf(error, 'serverResponseCode'))) return temporary(BUSY_SOURCE)
  if (isSet(error, 'authenticationFailed') && !CONNECTION_CODES.has(code))
    return new TransferProblem(REFUSED, { cause: error })
  if (isSet(error, 'tlsFailed') || TLS_CODES.test(code)) return new TransferProblem(NOT_SECURE, { cause: error })
  if (code === 'ETHROTTLE') return temporary(SLOWER)
  if (UNREACHABLE_CODES.has(code)) return temporary(UNREACHABLE)
  if (CONNECTION_CODES.has(code)) return temporary(LOST)
  if (MALFORMED_CODES.test(code) || isRefusedCommand(error)) return temporary(MALFORMED)
  return null
}

const UNREACHABLE_CODES = new Set([
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
])
const CONNECTION_CODES = new Set([
  'NoConnection',
  'EConnectionClosed',
  'StateLogout',
  'ClosedAfterConnectText',
  'ClosedAfterConnectTLS',
  'UPGRADE_TIMEOUT',
  'ETIMEOUT',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])
const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|STARTTLS_INJECTION|HOSTNAME_MISMATCH)/
const MALFORMED_CODES =
  /^(ParserError|MAX_IMAP_NESTING|LineTooLarge|LiteralTooLarge|ResponseTooLarge|UnexpectedTag|InvalidResponse|ResponseProcessingFailed|InvalidSequenceSet)/

const textOf = (error: Error, member: string): string => {
  const value: unknown = Reflect.get(error, member)
  return typeof value === 'string' ? value : ''
}

const isSet = (error: Error, member: string): boolean => Reflect.get(error, member) === true
