/** Why one object of a /set was not changed (RFC 8620 §5.3, RFC 8621). */
export type SetError = {
  type: string
  description?: string
  properties?: readonly string[]
  existingId?: string
  [member: string]: unknown
}

/** Ends the work on one object of a /set; the others go on. */
export class SetFailure extends Error {
  readonly error: SetError

  constructor(error: SetError) {
    super(error.description ?? error.type)
    this.name = 'SetFailure'
    this.error = error
  }
}

export const failSet = (type: string, description?: string, more: Omit<SetError, 'type'> = {}): never => {
  throw new SetFailure({ type, ...(description === undefined ? {} : { description }), ...more })
}

/** `invalidProperties` with the names of the wrong ones. */
export const failProperties = (properties: readonly string[], description: string): never =>
  failSet('invalidProperties', description, { properties })
