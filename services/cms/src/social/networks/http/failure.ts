import { LineCut } from './http.ts'

export const failureKinds = [
  'transient',
  'rate',
  'auth',
  'policy',
  'duplicate',
  'invalid',
  'config',
  'billing',
  'unknown',
] as const
export type FailureKind = (typeof failureKinds)[number]

export type FailureFacts = {
  kind: FailureKind
  /** The network's own code, or ours in capitals. */
  code: string
  /** The network's own words. Escaped where they are shown, bounded and masked where they are stored. */
  message: string
  httpStatus?: number
  /** The ID that the network's support asks for. */
  traceId?: string
  /** With `rate`: when it may be tried again, if the network said so. */
  retryAt?: Date
  /** With `rate`: who has to wait. */
  pauses?: 'account' | 'app'
  /** Evidence in a `duplicate` answer of what is live already. */
  existingId?: string
}

/** What a network answered, when it is no success. */
export class NetworkFailure extends Error {
  readonly facts: FailureFacts

  constructor(facts: FailureFacts) {
    super(facts.message)
    this.name = 'NetworkFailure'
    this.facts = facts
  }
}

/** What a network said, on one line and no longer than this: it is kept and shown. */
export const boundedWords = (text: string, max: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, max)
    .toWellFormed()

/** The words of a step after the post is live that failed. An expired token is renewed by the caller. */
export const warningOf = (error: unknown): string => {
  const isWarning = error instanceof LineCut || (error instanceof NetworkFailure && error.facts.httpStatus !== 401)
  if (!isWarning) throw error
  return error.message
}
