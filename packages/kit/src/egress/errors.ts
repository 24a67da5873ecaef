/** Why a target is not allowed: known before any connection is made. */
export type RefusalReason = 'invalid_url' | 'scheme' | 'port' | 'credentials' | 'not_public' | 'no_address'

/** Why an allowed target did not give a usable answer. Coarse on purpose. */
export type FailureReason = 'dns' | 'connect' | 'tls' | 'timeout' | 'too_large' | 'protocol'

/** A limit of one call, and its value in milliseconds or bytes. */
export type LimitName = 'connect' | 'headers' | 'idle' | 'total' | 'body'
export type ReachedLimit = { name: LimitName; value: number }

/** The target is not allowed. `publicMessage` may be shown to the person who gave it; `reason` is for logs. */
export class EgressRefused extends Error {
  readonly reason: RefusalReason
  readonly publicMessage: string

  constructor(reason: RefusalReason, cause?: unknown) {
    super(`egress refused: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'EgressRefused'
    this.reason = reason
    this.publicMessage = REFUSAL_TEXT[reason]
  }
}

/** The target was allowed but did not answer as it should. `publicMessage` may be shown; `reason` is for logs. */
export class EgressFailed extends Error {
  readonly reason: FailureReason
  /** With `timeout` and `too_large`: the limit that was reached. */
  readonly limit: ReachedLimit | undefined
  readonly publicMessage: string

  constructor(reason: FailureReason, cause?: unknown, limit?: ReachedLimit) {
    const which = limit ? ` (${LIMIT_TEXT[limit.name](limit.value)})` : ''
    super(`egress failed: ${reason}${which}`, cause === undefined ? undefined : { cause })
    this.name = 'EgressFailed'
    this.reason = reason
    this.limit = limit
    this.publicMessage = FAILURE_TEXT[reason]
  }
}

const LIMIT_TEXT: Record<LimitName, (value: number) => string> = {
  connect: (ms) => `not connected after ${ms} ms`,
  headers: (ms) => `no response after ${ms} ms`,
  idle: (ms) => `nothing sent or received for ${ms} ms`,
  total: (ms) => `not done after ${ms} ms`,
  body: (bytes) => `the response has more than ${bytes} bytes`,
}

/**
 * One message for everything, so that it doesn't reveal whether a private name exists, or whether a port is open,
 * closed or filtered.
 */
const UNREACHABLE = "The server couldn't be reached"

const REFUSAL_TEXT: Record<RefusalReason, string> = {
  invalid_url: 'The URL is invalid',
  scheme: 'The URL must start with https://',
  port: "The port of the URL isn't allowed",
  credentials: 'The URL must not contain a username or password',
  not_public: UNREACHABLE,
  no_address: UNREACHABLE,
}

const FAILURE_TEXT: Record<FailureReason, string> = {
  dns: UNREACHABLE,
  connect: UNREACHABLE,
  timeout: UNREACHABLE,
  tls: "The server doesn't have a valid certificate",
  too_large: "The server's response was too large",
  protocol: 'The server sent an invalid response',
}
