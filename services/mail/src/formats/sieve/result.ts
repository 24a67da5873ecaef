import type { SieveAction } from './action-types.ts'
import type { Call } from './compiled.ts'
import { SieveRuntimeError } from './problems.ts'
import type { Run } from './run-state.ts'

/**
 * Adds an action to the result. Tags of the call and extensions complete it, the same action twice counts once
 * (RFC 5228 §2.10.3), and what cannot go together is a runtime error.
 */
export const addAction = (action: SieveAction, call: Call, run: Run): void => {
  for (const { definition } of call.tags.values()) definition.apply?.(action, call, run)
  prepared(action, run)
  const { chain } = run
  if (cancelsKeep(action)) chain.keepCancelled = true
  const same = chain.actions.findIndex((other) => isSame(other, action))
  const known = chain.actions[same]
  if (known) {
    chain.actions[same] = merged(known, action)
    return
  }
  checkConflict(chain.actions, action)
  checkCounts(chain.actions, action, run)
  chain.actions.push(action)
}

/** The action, completed by the extensions that were used so far. */
export const prepared = (action: SieveAction, run: Run): SieveAction => {
  for (const { prepare } of run.chain.extensions) prepare?.(action, run)
  return action
}

const cancelsKeep = (action: SieveAction): boolean => {
  if (action.kind === 'fileinto' || action.kind === 'redirect') return !action.copy
  return action.kind === 'keep' || action.kind === 'discard' || action.kind === 'reject'
}

/** RFC 5228 §2.10.3 asks for one copy in a mailbox; a version that was edited in between is another message. */
const isSame = (left: SieveAction, right: SieveAction): boolean => {
  if (left.kind === 'discard') return right.kind === 'discard'
  if (left.kind === 'redirect')
    return right.kind === 'redirect' && left.address === right.address && left.edits === right.edits
  const place = placeOf(left)
  return place !== null && place === placeOf(right) && 'edits' in left && 'edits' in right && left.edits === right.edits
}

/** Keeping is filing into INBOX, whose name is the only one without regard to case. */
const placeOf = (action: SieveAction): string | null => {
  if (action.kind === 'keep') return 'INBOX'
  if (action.kind !== 'fileinto') return null
  const isInbox = action.mailbox.toLowerCase() === 'inbox' && !action.specialUse && !action.mailboxId
  return isInbox ? 'INBOX' : JSON.stringify([action.mailbox, action.specialUse, action.mailboxId])
}

/** The flags of the last that says something of them (RFC 5232 §5), and a mailbox that may be made if either says so. */
const merged = (known: SieveAction, again: SieveAction): SieveAction => {
  if (!('flags' in known && 'flags' in again)) return known
  const flags = again.flags ?? known.flags
  if (known.kind === 'fileinto' && again.kind === 'fileinto')
    return { ...known, flags, create: known.create || again.create }
  return { ...known, flags }
}

/** RFC 5429 §2.1 and RFC 5230 §4.7. */
const checkConflict = (actions: readonly SieveAction[], action: SieveAction): void => {
  const has = (...kinds: SieveAction['kind'][]) => actions.some(({ kind }) => kinds.includes(kind))
  if (action.kind === 'vacation' && has('vacation')) throw new SieveRuntimeError('"vacation" can only be used once')
  if (action.kind === 'vacation' && has('reject'))
    throw new SieveRuntimeError("a rejected message can't get a vacation reply")
  if (action.kind === 'reject' && has('reject')) throw new SieveRuntimeError('a message can only be rejected once')
  if (action.kind === 'reject' && has('vacation', 'keep', 'fileinto', 'redirect'))
    throw new SieveRuntimeError("a message that is delivered or answered can't be rejected as well")
  if (['keep', 'fileinto', 'redirect'].includes(action.kind) && has('reject'))
    throw new SieveRuntimeError("a rejected message can't be delivered as well")
}

/** RFC 5228 §2.10.5 and §10. */
const checkCounts = (actions: readonly SieveAction[], action: SieveAction, { limits }: Run): void => {
  if (actions.length >= limits.actions) throw new SieveRuntimeError(`more than ${limits.actions} actions`)
  const redirects = actions.filter(({ kind }) => kind === 'redirect').length
  if (action.kind === 'redirect' && redirects >= limits.redirects)
    throw new SieveRuntimeError(`more than ${limits.redirects} redirects`)
}
