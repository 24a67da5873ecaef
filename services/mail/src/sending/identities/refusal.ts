/** Why an identity is not changed; each door maps these in one exhaustive table. */
export type IdentityRefusalKind = 'no_such_identity' | 'forbidden_from' | 'own_identity' | 'too_many'

/** The transaction in which it is thrown must be given up. */
export class IdentityRefusal extends Error {
  readonly kind: IdentityRefusalKind

  constructor(kind: IdentityRefusalKind, message: string) {
    super(message)
    this.name = 'IdentityRefusal'
    this.kind = kind
  }
}

export const refuseIdentity = (kind: IdentityRefusalKind, message: string): never => {
  throw new IdentityRefusal(kind, message)
}
