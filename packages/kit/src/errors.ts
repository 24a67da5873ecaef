/** What a service may answer with: code -> status and default sentence. One per service, compared with its docs page. */
export type Catalogue = Readonly<Record<string, { status: number; message: string }>>

export type ErrorOptions = {
  message?: string
  details?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

/** An expected refusal out of a service's catalogue. Rendered by the service's own renderer. */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: string, status: number, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.details = options.details
    this.headers = options.headers
  }
}

/** A reason not to start that the operator can remove. It is printed as it is, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Turns a catalogue into the two functions a service raises errors with. */
export const defineErrors = <C extends Catalogue>(catalogue: C) => {
  const error = (code: keyof C & string, options: ErrorOptions = {}): AppError => {
    const entry = Object.hasOwn(catalogue, code) ? catalogue[code] : undefined
    if (!entry) throw new TypeError(`'${code}' is not in the error catalogue`)
    return new AppError(code, entry.status, options.message ?? entry.message, options)
  }
  const fail = (code: keyof C & string, options: ErrorOptions = {}): never => {
    throw error(code, options)
  }
  return { catalogue, error, fail }
}

/** One thing wrong with a request: where it was, which member, and why. */
export type InputIssue = {
  where: 'body' | 'query' | 'params' | 'headers'
  /** Dot path, empty for the whole value. */
  path: string
  /** `unsupported`: the whole request asks for something that there is not, whatever else is wrong with it. */
  reason: 'missing' | 'invalid' | 'unknown' | 'unsupported'
  message: string
}

/**
 * What the kit itself can refuse. A service maps every kind to its own catalogue in one exhaustive table
 * (`satisfies FaultTable`), so that a new kind does not compile until each service answers it.
 */
export type FaultDetails = {
  invalid_input: { issues: readonly InputIssue[] }
  invalid_json: { reason: string }
  too_large: { limit: number }
  unsupported_media: { contentType: string }
  route_not_found: { path: string }
  method_not_allowed: { allow: readonly string[] }
  unauthenticated: Record<string, never>
  csrf: { reason: string }
  origin_refused: { origin: string }
  rate_limited: { retryAfterSeconds: number; headers: Record<string, string> }
  /** A unique constraint. */
  conflict: { constraint: string }
  /** A foreign key. */
  reference: { constraint: string }
  /** A value the database cannot hold: NUL, lone surrogate, malformed uuid, number out of range, failed check. */
  invalid_value: { reason: string }
  /** The database, the disk or a queue is away or overloaded: try again later. */
  unavailable: { retryAfterSeconds: number }
  internal: Record<string, never>
}
export type FaultKind = keyof FaultDetails
export type FaultTable = { readonly [K in FaultKind]: (detail: FaultDetails[K], cause: unknown) => AppError }

/** A refusal of the kit, before any service gave it a code. */
export class Fault<K extends FaultKind = FaultKind> extends Error {
  readonly kind: K
  readonly detail: FaultDetails[K]

  constructor(kind: K, detail: FaultDetails[K], cause?: unknown) {
    super(kind, cause === undefined ? undefined : { cause })
    this.name = 'Fault'
    this.kind = kind
    this.detail = detail
  }
}

export const fault = <K extends FaultKind>(kind: K, detail: FaultDetails[K], cause?: unknown): Fault<K> =>
  new Fault(kind, detail, cause)

/** Looks a fault up in a service's table. */
export const translateFault = <K extends FaultKind>(table: FaultTable, raised: Fault<K>): AppError =>
  table[raised.kind](raised.detail, raised.cause ?? raised)
