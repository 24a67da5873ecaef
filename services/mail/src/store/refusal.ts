/** Why the store does not do something; each door maps these in one exhaustive table. */
export type RefusalKind =
  | 'no_such_folder'
  | 'folder_exists'
  | 'folder_has_children'
  | 'folder_not_empty'
  | 'folder_protected'
  | 'role_taken'
  | 'bad_name'
  | 'no_such_message'
  | 'no_such_blob'
  | 'over_quota'
  | 'too_many'
  | 'too_large'
  | 'state_mismatch'

/** A rule of the store. The transaction in which it is thrown must be given up, so that nothing is written. */
export class StoreRefusal extends Error {
  readonly kind: RefusalKind

  constructor(kind: RefusalKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreRefusal'
    this.kind = kind
  }
}

export const refuse = (kind: RefusalKind, message: string): never => {
  throw new StoreRefusal(kind, message)
}
