import { type Filter, queryUids } from '../../../store/store.ts'
import { formatNumbers } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView, Follower } from '../view.ts'
import { folderSearch } from './run.ts'

/** A search whose results the client is kept up to date with (RFC 5267 §4.3). */
type Context = { readonly tag: string; readonly isUid: boolean; readonly filter: Filter; uids: ReadonlySet<number> }

/** Each is searched again when something changes. */
const MAX_CONTEXTS = 8

/** Updating searches of each view, by command tag. */
const followed = new WeakMap<FolderView, Map<string, Follower>>()

/** From here on the client is notified of what joins these results and what leaves them; false: too many. */
export const follow = (
  session: ImapSession,
  view: FolderView,
  { tag, isUid, filter, uids }: { tag: string; isUid: boolean; filter: Filter; uids: readonly number[] },
): boolean => {
  const known = followed.get(view) ?? new Map<string, Follower>()
  if (known.size >= MAX_CONTEXTS) return false
  const context: Context = { tag, isUid, filter, uids: new Set(uids) }
  const follower: Follower = {
    beforeExpunge: (gone) => leave(session, view, context, gone),
    afterSync: () => renew(session, view, context),
  }
  unfollow(view, [tag])
  followed.set(view, known.set(tag, follower))
  view.followers.add(follower)
  return true
}

/** CANCELUPDATE (RFC 5267 §4.3.4). */
export const unfollow = (view: FolderView, tags: readonly string[]): void => {
  const known = followed.get(view)
  for (const tag of tags) {
    const follower = known?.get(tag)
    if (follower) view.followers.delete(follower)
    known?.delete(tag)
  }
}

/** Sent while the messages still have their numbers. */
const leave = async (
  session: ImapSession,
  view: FolderView,
  context: Context,
  gone: readonly number[],
): Promise<void> => {
  const left = gone.filter((uid) => context.uids.has(uid))
  if (left.length === 0) return
  await reportUpdate(session, view, context, 'REMOVEFROM', left)
  context.uids = context.uids.difference(new Set(left))
}

const renew = async (session: ImapSession, view: FolderView, context: Context): Promise<void> => {
  const found = await queryUids(session.parts, folderSearch(view, context.filter))
  const uids = new Set(found.filter((uid) => view.uids.sequenceOf(uid) > 0))
  const added = [...uids.difference(context.uids)]
  const removed = [...context.uids.difference(uids)].filter((uid) => view.uids.sequenceOf(uid) > 0)
  context.uids = uids
  if (removed.length > 0) await reportUpdate(session, view, context, 'REMOVEFROM', removed)
  if (added.length > 0) await reportUpdate(session, view, context, 'ADDTO', added)
}

/** Position 0: the results of SEARCH are in the order of the folder. */
const reportUpdate = (
  session: ImapSession,
  view: FolderView,
  { tag, isUid }: Context,
  what: 'ADDTO' | 'REMOVEFROM',
  uids: readonly number[],
): Promise<void> => {
  const sorted = uids.toSorted((one, other) => one - other)
  const numbers = isUid ? sorted : sorted.map((uid) => view.uids.sequenceOf(uid))
  return session.out.untagged(`ESEARCH (TAG "${tag}")${isUid ? ' UID' : ''} ${what} (0 ${formatNumbers(numbers)})`)
}
