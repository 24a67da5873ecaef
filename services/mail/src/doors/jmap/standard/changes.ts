import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { type ChangeKind, type Changes, changesSince, type MailDb } from '../../../store/store.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { checkNames, failArgument, readString, readUnsigned } from './arguments.ts'
import { parseState, stateText } from './state.ts'

export type ChangesRequest = { access: MailboxAccess; sinceState: string; maxChanges: number | null }

/** The arguments of a /changes (RFC 8620 §5.2). */
export const readChanges = async (call: JmapCall, args: Args): Promise<ChangesRequest> => {
  const access = await call.account(args)
  checkNames(args, ['sinceState', 'maxChanges'])
  return { access, sinceState: readString(args, 'sinceState'), maxChanges: readMaxChanges(args) }
}

export const readMaxChanges = (args: Args): number | null => {
  const max = readUnsigned(args, 'maxChanges')
  return max === 0 ? failArgument('maxChanges', 'must be more than 0') : max
}

/** The changes since one of our states. `kinds` are the store's object kinds that make up the type. */
export const findChanges = (
  db: MailDb,
  { access, sinceState, maxChanges }: ChangesRequest,
  kinds: readonly ChangeKind[],
): Promise<Changes> =>
  changesSince(db, { addressId: access.addressId, kinds, since: parseState(sinceState), maxChanges })

/** All that changed since a state, however much; `tooManyChanges` past the bound. For /queryChanges. */
export const allChanges = async (
  db: MailDb,
  { access, sinceState }: Pick<ChangesRequest, 'access' | 'sinceState'>,
  kinds: readonly ChangeKind[],
): Promise<Changes> => {
  const changes = await findChanges(db, { access, sinceState, maxChanges: null }, kinds)
  return changes.hasMore ? failMethod('cannotCalculateChanges', 'Too much has changed since then.') : changes
}

/** The answer of a /changes. */
export const changesAnswer = ({ access, sinceState }: ChangesRequest, changes: Changes): Args => ({
  accountId: access.addressId,
  oldState: sinceState,
  newState: stateText(changes.next),
  hasMoreChanges: changes.hasMore,
  created: changes.created,
  updated: changes.updated,
  destroyed: changes.destroyed,
})
