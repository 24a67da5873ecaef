import type { ErrorName } from '@stoa/mail-model/errors.ts'
import { error } from '../../errors.ts'
import { type RefusalKind, StoreRefusal } from '../../store/store.ts'

/** What a refusal of the store means over HTTP. */
const ERRORS: Record<RefusalKind, ErrorName> = {
  no_such_folder: 'not_found',
  folder_exists: 'conflict',
  folder_has_children: 'conflict',
  folder_not_empty: 'conflict',
  folder_protected: 'forbidden',
  role_taken: 'conflict',
  bad_name: 'validation_error',
  no_such_message: 'not_found',
  // The bytes of a message that is there are damaged or gone.
  no_such_blob: 'application_error',
  over_quota: 'quota_exceeded',
  too_many: 'quota_exceeded',
  too_large: 'quota_exceeded',
  state_mismatch: 'conflict',
}

/** Does something with the store; its refusals become answers of the API. */
export const withStore = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof StoreRefusal)) throw cause
    throw error(ERRORS[cause.kind], { message: sentence(cause.message), cause })
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
