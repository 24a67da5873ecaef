import type { ErrorName } from '@stoa/mail-model/errors.ts'
import { error } from '../../../errors.ts'
import { SubmissionRefusal, type SubmissionRefusalKind } from '../../../sending/submission/submission.ts'
import { withStore } from '../refusals.ts'

/** What it means over HTTP that mail is not sent, or not taken back. */
const ERRORS: Record<SubmissionRefusalKind, ErrorName> = {
  no_such_identity: 'not_found',
  no_such_message: 'not_found',
  no_such_submission: 'not_found',
  invalid_email: 'validation_error',
  invalid_envelope: 'validation_error',
  too_large: 'quota_exceeded',
  too_many_recipients: 'validation_error',
  no_recipients: 'validation_error',
  invalid_recipients: 'validation_error',
  forbidden_mail_from: 'forbidden',
  forbidden_from: 'forbidden',
  forbidden_to_send: 'forbidden',
  plan_required: 'plan_required',
  rate_limited: 'rate_limit_exceeded',
  cannot_unsend: 'conflict',
}

/** Sends, or takes back; refusals become answers of the API. */
export const withSubmissions = <T>(work: () => Promise<T>): Promise<T> =>
  withStore(async () => {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof SubmissionRefusal)) throw cause
      throw error(nameOf(cause), { message: cause.message, cause })
    }
  })

/** The limits of a plan have names of their own. */
const nameOf = ({ kind, details }: SubmissionRefusal): ErrorName =>
  details.volume ? `${details.volume}_quota_exceeded` : ERRORS[kind]
