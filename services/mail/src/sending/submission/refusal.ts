/** Why mail is not sent, or not taken back; each door maps these in one exhaustive table. */
export type SubmissionRefusalKind =
  | 'no_such_identity'
  | 'no_such_message'
  | 'no_such_submission'
  | 'invalid_email'
  | 'invalid_envelope'
  | 'too_large'
  | 'too_many_recipients'
  | 'no_recipients'
  | 'invalid_recipients'
  | 'forbidden_mail_from'
  | 'forbidden_from'
  | 'forbidden_to_send'
  | 'plan_required'
  | 'rate_limited'
  | 'cannot_unsend'

export type RefusalDetails = {
  maxSize?: number
  maxRecipients?: number
  recipients?: readonly string[]
  /** Which limit of the plan is reached. */
  volume?: 'daily' | 'monthly'
}

/** The transaction in which it is thrown must be given up. */
export class SubmissionRefusal extends Error {
  readonly kind: SubmissionRefusalKind
  readonly details: RefusalDetails

  constructor(kind: SubmissionRefusalKind, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'SubmissionRefusal'
    this.kind = kind
    this.details = details
  }
}

export const refuseSubmission = (kind: SubmissionRefusalKind, message: string, details: RefusalDetails = {}): never => {
  throw new SubmissionRefusal(kind, message, details)
}
