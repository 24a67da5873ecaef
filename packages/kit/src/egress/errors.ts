/** Why a target is not allowed: known before any connection is made. */
export type RefusalReason = 'invalid_url' | 'scheme' | 'port' | 'credentials' | 'not_public' | 'no_address'

/** Why an allowed target did not give a usable answer. Coarse on purpose. */
export type FailureReason = 'dns' | 'connect' | 'tls' | 'timeout' | 'too_large' | 'protocol'

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
  readonly publicMessage: string

  constructor(reason: FailureReason, cause?: unknown) {
    super(`egress failed: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'EgressFailed'
    this.reason = reason
    this.publicMessage = FAILURE_TEXT[reason]
  }
}

/** One text for everything that would tell an inner name, an open, a closed and a filtered port apart. */
const UNREACHABLE = 'The target could not be reached'

const REFUSAL_TEXT: Record<RefusalReason, string> = {
  invalid_url: 'The target is not a valid address',
  scheme: 'The target must be an https address',
  port: 'The port of the target is not allowed',
  credentials: 'The target must not contain a user name or password',
  not_public: UNREACHABLE,
  no_address: UNREACHABLE,
}

const FAILURE_TEXT: Record<FailureReason, string> = {
  dns: UNREACHABLE,
  connect: UNREACHABLE,
  timeout: UNREACHABLE,
  tls: 'A secure connection with a valid certificate could not be made to the target',
  too_large: 'The answer of the target was too large',
  protocol: 'The answer of the target could not be understood',
}
