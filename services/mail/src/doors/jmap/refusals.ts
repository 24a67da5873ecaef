import { Fault } from '@stoa/kit/errors.ts'
import { type RefusalKind, StoreRefusal } from '../../store/store.ts'
import { TooMuchWork } from './budget.ts'
import { MethodError } from './method.ts'
import { type SetError, SetFailure } from './set-error.ts'

/** What a refusal of the store means for one object of a /set. */
const SET_ERRORS: Record<RefusalKind, string> = {
  no_such_folder: 'notFound',
  folder_exists: 'alreadyExists',
  folder_has_children: 'mailboxHasChild',
  folder_not_empty: 'mailboxHasEmail',
  folder_protected: 'forbidden',
  role_taken: 'invalidProperties',
  bad_name: 'invalidProperties',
  no_such_message: 'notFound',
  no_such_blob: 'blobNotFound',
  over_quota: 'overQuota',
  too_many: 'tooLarge',
  too_large: 'tooLarge',
  state_mismatch: 'stateMismatch',
}

/** The JMAP errors of whole methods. */
const METHOD_ERRORS: Record<RefusalKind, string> = {
  no_such_folder: 'accountNotFound',
  folder_exists: 'invalidArguments',
  folder_has_children: 'invalidArguments',
  folder_not_empty: 'invalidArguments',
  folder_protected: 'forbidden',
  role_taken: 'invalidArguments',
  bad_name: 'invalidArguments',
  no_such_message: 'anchorNotFound',
  no_such_blob: 'serverFail',
  over_quota: 'forbidden',
  too_many: 'requestTooLarge',
  too_large: 'requestTooLarge',
  state_mismatch: 'cannotCalculateChanges',
}

/** The SetError of a refusal, or null for what concerns more than one object. */
export const setErrorOf = (error: unknown): SetError | null => {
  if (error instanceof SetFailure) return error.error
  if (error instanceof TooMuchWork) return { type: 'rateLimit', description: error.message }
  if (error instanceof StoreRefusal) return { type: SET_ERRORS[error.kind], description: error.message }
  if (error instanceof Fault && error.kind === 'invalid_value')
    return { type: 'invalidProperties', description: 'A value contains characters that cannot be stored.' }
  return null
}

/** The method-level error of whatever a method threw, or null if nobody foresaw it. */
export const methodErrorOf = (error: unknown): MethodError | null => {
  if (error instanceof MethodError) return error
  if (error instanceof TooMuchWork) return new MethodError('requestTooLarge', error.message)
  if (error instanceof StoreRefusal) return new MethodError(METHOD_ERRORS[error.kind], error.message)
  if (error instanceof SetFailure) return new MethodError(error.error.type, error.message)
  if (!(error instanceof Fault)) return null
  if (error.kind === 'unavailable')
    return new MethodError('serverUnavailable', 'The service is temporarily unavailable. Try again later.')
  if (error.kind === 'invalid_value') return new MethodError('invalidArguments', 'A value cannot be stored.')
  return null
}
