import type { RefusalKind } from '../../store/store.ts'

/** Response codes for what the store refuses (RFC 9051 §7.1, RFC 5530). */
export const REFUSAL_CODES: Readonly<Record<RefusalKind, string>> = {
  no_such_folder: 'NONEXISTENT',
  folder_exists: 'ALREADYEXISTS',
  folder_has_children: 'HASCHILDREN',
  folder_not_empty: 'CANNOT',
  folder_protected: 'CANNOT',
  role_taken: 'USEATTR',
  bad_name: 'CANNOT',
  no_such_message: 'EXPUNGEISSUED',
  no_such_blob: 'SERVERBUG',
  over_quota: 'OVERQUOTA',
  too_many: 'LIMIT',
  too_large: 'TOOBIG',
  state_mismatch: 'CONTACTADMIN',
}
