import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { MAX_OBJECTS_IN_SET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { setErrorOf } from '../refusals.ts'
import { type SetError, SetFailure } from '../set-error.ts'
import { checkNames, failArgument, isId, readIds, readOptionalString, readRecords } from './arguments.ts'
import { realId } from './get.ts'
import { stateOf } from './state.ts'

export type SetRequest = {
  access: MailboxAccess
  /** The state before anything was done. */
  oldState: string
  create: [creationId: string, object: Args][]
  /** Ids may be creation ids of the same request: take `realId` when their turn comes. */
  update: [id: string, patch: Args][]
  destroy: string[]
}

/** The arguments of a /set (RFC 8620 §5.3). `wants`: the right without which nothing is done at all. */
export const readSet = async (
  call: JmapCall,
  args: Args,
  { more = [], wants }: { more?: readonly string[]; wants?: 'write' | 'manage' } = {},
): Promise<SetRequest> => {
  const access = await call.account(args, wants)
  const { ifInState, ...work } = readSetArguments(args, more)
  const oldState = await stateOf(call.parts.database.db, access.addressId)
  checkState(ifInState, oldState)
  return { access, oldState, ...work }
}

/** Reads the arguments of a /set for types that belong to no account. */
export const readSetArguments = (args: Args, more: readonly string[] = []) => {
  checkNames(args, ['ifInState', 'create', 'update', 'destroy', ...more])
  const create = readRecords(args, 'create')
  const update = readRecords(args, 'update')
  const destroy = readIds(args, 'destroy') ?? []
  if (create.length + update.length + destroy.length > MAX_OBJECTS_IN_SET)
    failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_SET} objects at once.`)
  for (const [id] of create) if (!isId(id)) failArgument('create', 'must use ids as keys')
  for (const [id] of update)
    if (!isId(id.startsWith('#') ? id.slice(1) : id)) failArgument('update', 'must use ids as keys')
  return { ifInState: readOptionalString(args, 'ifInState'), create, update, destroy: [...new Set(destroy)] }
}

export const checkState = (ifInState: string | null, state: string): void => {
  if (ifInState !== null && ifInState !== state)
    failMethod('stateMismatch', 'The state does not match: something has changed.')
}

/** The result of each object of a /set. */
export type SetOutcome = {
  created: Record<string, Args>
  updated: Record<string, Args | null>
  destroyed: string[]
  notCreated: Record<string, SetError>
  notUpdated: Record<string, SetError>
  notDestroyed: Record<string, SetError>
}

export const emptyOutcome = (): SetOutcome => ({
  created: bare(),
  updated: bare(),
  destroyed: [],
  notCreated: bare(),
  notUpdated: bare(),
  notDestroyed: bare(),
})

/** Ids are chosen by clients: `__proto__` is one. */
export const bare = <T>(): Record<string, T> => Object.create(null)

export type SetWork = {
  /** Makes an object and gives what the client cannot know of it, with its `id`. */
  create(object: Args, creationId: string): Promise<Args & { id: string }>
  /** Changes an object; gives what changed beyond the patch, or null. */
  update(id: string, patch: Args): Promise<Args | null>
  destroy(id: string): Promise<void>
}

/**
 * Creates, updates and destroys one object after the other. What one of them throws as SetFailure or StoreRefusal is its
 * SetError; anything else ends the method.
 */
export const runSet = async (
  call: JmapCall,
  { create, update, destroy }: Pick<SetRequest, 'create' | 'update' | 'destroy'>,
  work: SetWork,
): Promise<SetOutcome> => {
  const outcome = emptyOutcome()
  const doomed = new Set(destroy.map((id) => realId(call, id)))
  for (const [creationId, object] of create)
    await tryOne(outcome.notCreated, creationId, async () => {
      const made = await work.create(object, creationId)
      outcome.created[creationId] = made
      call.createdIds.set(creationId, made.id)
    })
  for (const [given, patch] of update) {
    const id = realId(call, given)
    await tryOne(outcome.notUpdated, id, async () => {
      if (doomed.has(id)) throw new SetFailure({ type: 'willDestroy' })
      outcome.updated[id] = await work.update(id, patch)
    })
  }
  for (const id of destroy.map((each) => realId(call, each)))
    await tryOne(outcome.notDestroyed, id, async () => {
      await work.destroy(id)
      outcome.destroyed.push(id)
    })
  return outcome
}

/** Runs the work on one object; its refusal is kept as the error of that object. */
export const tryOne = async (
  errors: Record<string, SetError>,
  id: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    const refusal = setErrorOf(error)
    if (!refusal) throw error
    errors[id] = refusal
  }
}

/** The answer of a /set: empty lists are null (RFC 8620 §5.3). */
export const setAnswer = (
  { access, oldState }: Pick<SetRequest, 'access' | 'oldState'>,
  newState: string,
  outcome: SetOutcome,
): Args => ({ accountId: access.addressId, oldState, newState, ...shownOutcome(outcome) })

export const shownOutcome = (outcome: SetOutcome): Args => ({
  created: orNull(outcome.created),
  updated: orNull(outcome.updated),
  destroyed: outcome.destroyed.length > 0 ? outcome.destroyed : null,
  notCreated: orNull(outcome.notCreated),
  notUpdated: orNull(outcome.notUpdated),
  notDestroyed: orNull(outcome.notDestroyed),
})

const orNull = <T>(record: Record<string, T>): Record<string, T> | null =>
  Object.keys(record).length > 0 ? record : null
