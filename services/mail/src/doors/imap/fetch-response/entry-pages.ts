import type { EntryQuery } from '../../../store/store.ts'
import type { FolderView } from '../view.ts'

export type PageQuery = {
  /** Sorted, and in the view. */
  readonly uids: readonly number[]
  /** Only what changed after it; 0 for all. */
  readonly changedSince: number
  readonly pageSize: number
}

/** Rows of the selected folder, page by page; those that are gone are left out. */
export async function* entryPages<E extends { readonly uid: number }>(
  read: (query: EntryQuery) => Promise<E[]>,
  view: FolderView,
  { uids, changedSince, pageSize }: PageQuery,
): AsyncGenerator<E[], void, undefined> {
  const [first] = uids
  const last = uids.at(-1)
  if (first === undefined || last === undefined) return
  const { addressId, viewerId } = view.access
  const query = { addressId, viewerId, folderId: view.folder.id, changedSince, limit: pageSize }
  const isRun = view.uids.sequenceOf(last) - view.uids.sequenceOf(first) + 1 === uids.length
  if (!isRun && changedSince === 0) {
    for (let at = 0; at < uids.length; at += pageSize) {
      const some = uids.slice(at, at + pageSize)
      yield await read({ ...query, fromUid: some[0] ?? 0, toUid: some.at(-1) ?? 0, uids: some })
    }
    return
  }
  const wanted = isRun ? null : new Set(uids)
  for (let from = first; from <= last; ) {
    const page = await read({ ...query, fromUid: from, toUid: last })
    // A message may have come between: the client does not know it yet.
    yield page.filter(({ uid }) => (wanted ? wanted.has(uid) : view.uids.sequenceOf(uid) > 0))
    if (page.length < pageSize) return
    from = (page.at(-1)?.uid ?? last) + 1
  }
}
