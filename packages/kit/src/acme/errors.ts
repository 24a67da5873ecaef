/**
 * Whose fault it is that there is no certificate: `busy` (the authority wants us to come later) holds for all names, and
 * `unavailable` (it did not answer as it should) until it turns out to be about one; `refused` is about the one,
 * `unknown_account` holds until we register again.
 */
export type AuthorityProblem = 'busy' | 'unavailable' | 'refused' | 'unknown_account'

export class AuthorityError extends Error {
  readonly problem: AuthorityProblem
  /** The time at which the authority wants to be asked again, if it named one. */
  readonly retryAt: Date | null

  constructor(problem: AuthorityProblem, message: string, options: { retryAt?: Date | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AuthorityError'
    this.problem = problem
    this.retryAt = options.retryAt ?? null
  }
}
