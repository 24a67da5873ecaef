import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { changesSince, getMessages, type Positions, positionsOf, threadsOf } from '../../../store/store.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { allChanges } from '../standard/changes.ts'
import { type QueryChangesRequest, readQueryChanges } from '../standard/query.ts'
import { parseState } from '../standard/state.ts'
import { isMutable, looksAtThreads } from './filter.ts'
import { isObjectId } from './ids.ts'
import { readEmailSearch } from './query.ts'
import { isMutableSort, sortsByThreads } from './sort.ts'

/** Email/queryChanges (RFC 8621 §4.5), for all filters and orders: messages that changed are taken out and put in anew. */
export const changedQuery = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readQueryChanges(call, args, ['collapseThreads'])
  const search = readEmailSearch(args)
  const { filter, sort, collapseThreads } = search
  const canMove = isMutable(filter) || isMutableSort(sort)
  const byThread = collapseThreads || looksAtThreads(filter) || sortsByThreads(sort)
  const { access, upToId } = request
  const upTo = !canMove && upToId !== null && isObjectId(upToId) ? upToId : null
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const changed = await changedSince(call, request, { canMove, byThread })
    const query = { addressId: access.addressId, viewerId: access.viewerId, ...search }
    const found = await positionsOf(call.parts, query, [...changed.ids, ...(upTo === null ? [] : [upTo])])
    // Both reads must see the same state: a change in between would be in only one of them.
    if (found.modseq === changed.modseq) return answer(request, changed, found, upTo)
  }
  return failMethod('cannotCalculateChanges', 'The mailbox is changing too fast. Repeat the query.')
}

/** Ten deliveries a second leave enough time between two of them. */
const MAX_ATTEMPTS = 8

type Changed = {
  modseq: number
  /** Messages that are there, and may stand elsewhere now or be among the results for the first time. */
  ids: Set<string>
  destroyed: string[]
}

const changedSince = async (
  call: JmapCall,
  { access, sinceQueryState }: QueryChangesRequest,
  { canMove, byThread }: { canMove: boolean; byThread: boolean },
): Promise<Changed> => {
  const { db } = call.parts.database
  const changes = await allChanges(db, { access, sinceState: sinceQueryState }, ['message'])
  const ids = new Set([...changes.created, ...(canMove ? changes.updated : [])])
  if (byThread) {
    const threads = await changedThreads(call, access, sinceQueryState, ids)
    for (const members of (await threadsOf(db, access.addressId, threads)).values())
      for (const id of members) ids.add(id)
  }
  return { modseq: changes.next.modseq, ids, destroyed: changes.destroyed }
}

/** Threads of what changed, and those that a message left. */
const changedThreads = async (
  call: JmapCall,
  { addressId }: MailboxAccess,
  sinceState: string,
  ids: ReadonlySet<string>,
): Promise<string[]> => {
  const { db } = call.parts.database
  const messages = await getMessages(db, addressId, [...ids])
  const changes = await changesSince(db, { addressId, kinds: ['thread'], since: parseState(sinceState) })
  const threads = new Set([...messages.map(({ threadId }) => threadId), ...changes.created, ...changes.updated])
  if (changes.hasMore || threads.size > MAX_THREADS)
    return failMethod('cannotCalculateChanges', 'Too much has changed since then.')
  return [...threads]
}

const MAX_THREADS = 5_000

const answer = (
  { access, sinceQueryState, maxChanges, calculateTotal }: QueryChangesRequest,
  { ids, destroyed }: Changed,
  { modseq, total, places }: Positions,
  upTo: string | null,
): Args => {
  // An answer to a query may show more than its state knows: also what is new may have been among the results.
  const removed = [...ids, ...destroyed]
  const end = places.find(({ id }) => id === upTo)?.position ?? Number.POSITIVE_INFINITY
  const added = places
    .filter(({ id, position }) => ids.has(id) && position <= end)
    .map(({ id, position }) => ({ id, index: position }))
  if (maxChanges !== null && removed.length + added.length > maxChanges)
    return failMethod('tooManyChanges', 'There are more changes than maxChanges.')
  return {
    accountId: access.addressId,
    oldQueryState: sinceQueryState,
    newQueryState: String(modseq),
    ...(calculateTotal ? { total } : {}),
    removed,
    added,
  }
}
