/** An answer of the CMS that is an error, or no answer at all: then `status` is 0 and `code` NETWORK or TIMEOUT. */
export class CmsError extends Error {
  readonly status: number
  /** What programs decide by, such as NOT_FOUND or VALIDATION_FAILED. */
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, options: { status: number; code: string; details?: object; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CmsError'
    this.status = options.status
    this.code = options.code
    this.details = { ...options.details }
  }
}

/** The error in a response; one that is not ours, such as a proxy's, is described by its status. */
export const errorOf = (status: number, text: string): CmsError => {
  const body = parse(text)
  if (typeof body === 'object' && body !== null && 'code' in body && 'error' in body) {
    const details = 'details' in body && typeof body.details === 'object' && body.details ? body.details : {}
    return new CmsError(String(body.error), { status, code: String(body.code), details })
  }
  return new CmsError(`The CMS or a proxy in front of it returned status ${status}`, {
    status,
    code: 'UNEXPECTED_ANSWER',
  })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
