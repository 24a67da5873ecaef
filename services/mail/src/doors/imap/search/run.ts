import { checkFilter, type Filter, type FolderSearch, queryUidModseqs, queryUids } from '../../../store/store.ts'
import { setOfNumbers } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'
import { toFilter } from './filter.ts'
import { findByFlags, isOfFlags } from './from-flags.ts'
import { asksForModseq, type SearchKey } from './keys.ts'
import type { ReturnOptions } from './options.ts'
import { type Found, windowOf } from './respond.ts'

/** Messages of the view that fit, by UID. */
export type FoundUids = { readonly uids: readonly number[]; readonly modseqs: readonly number[] | null }

/** The selected folder; commands that need one run only when there is one. */
export const viewOf = ({ view }: ImapSession): FolderView => {
  if (!view) throw new Error('no folder is selected')
  return view
}

export const folderSearch = ({ access, folder }: FolderView, filter: Filter): FolderSearch => ({
  addressId: access.addressId,
  viewerId: access.viewerId,
  folderId: folder.id,
  filter,
})

/** Looks for messages; only those that were reported to the client are found. */
export const findInView = async (session: ImapSession, view: FolderView, key: SearchKey): Promise<FoundUids> => {
  const filter = toFilter(key, view)
  const wantsModseqs = asksForModseq(key)
  if (!wantsModseqs && isEverything(filter)) return { uids: [...view.uids.values()], modseqs: null }
  const found = (await findInMemory(session, view, filter)) ?? (await findInStore(session, view, filter, wantsModseqs))
  const isKnown = (uid: number): boolean => view.uids.sequenceOf(uid) > 0
  return {
    uids: found.uids.filter(isKnown),
    modseqs: wantsModseqs ? found.modseqs.filter((_, index) => isKnown(found.uids[index] ?? 0)) : null,
  }
}

/** Sorted by UID; modseqs only if they are requested. */
type Results = { readonly uids: readonly number[]; readonly modseqs: readonly number[] }

/** Null: flags alone do not decide. */
const findInMemory = async (session: ImapSession, view: FolderView, filter: Filter): Promise<Results | null> => {
  if (!isOfFlags(filter) || view.access.viewerId !== null) return null
  checkFilter(filter, { hasRows: true })
  const known = await session.door.folders.flags({ addressId: view.access.addressId, folderId: view.folder.id })
  return known && findByFlags(known, filter)
}

const findInStore = async (
  { parts }: ImapSession,
  view: FolderView,
  filter: Filter,
  wantsModseqs: boolean,
): Promise<Results> => {
  const search = folderSearch(view, filter)
  if (!wantsModseqs) return { uids: await queryUids(parts, search), modseqs: [] }
  const found = await queryUidModseqs(parts, search)
  return { uids: found.map(({ uid }) => uid), modseqs: found.map(({ modseq }) => modseq) }
}

const isEverything = (filter: Filter): boolean => Object.keys(filter).length === 0

/** The numbers that the command counts by. */
export const numbersOf = (view: FolderView, { uids, modseqs }: FoundUids, isUid: boolean): Found => ({
  numbers: isUid ? uids : uids.map((uid) => view.uids.sequenceOf(uid)),
  modseqs,
})

export const save = (session: ImapSession, options: ReturnOptions, uids: readonly number[]): void => {
  if (options.save) session.savedSearch = setOfNumbers(savedOf(options, uids))
}

/** RFC 5182 §2.1: a SEARCH that fails after SAVE was asked for leaves nothing saved. */
export const forgetSaved = (session: ImapSession, options: ReturnOptions | null): void => {
  if (options?.save) session.savedSearch = setOfNumbers([])
}

/** Whether there is anything to return besides what was saved. */
export const returnsResults = ({ min, max, all, count, partial, update }: ReturnOptions): boolean =>
  min || max || all || count || partial !== null || update

/** The UIDs that `$` stands for after a search (RFC 9051 §6.4.4.1): those returned to the client. */
export const savedOf = (options: ReturnOptions, uids: readonly number[]): number[] => {
  const returnsEnds = options.min || options.max
  if (options.all || options.count || (!returnsEnds && !options.partial)) return sorted(uids)
  const window = options.partial && windowOf(options.partial, uids.length)
  return sorted([
    ...(window ? uids.slice(window.start, window.end) : []),
    ...(options.min ? uids.slice(0, 1) : []),
    ...(options.max ? uids.slice(-1) : []),
  ])
}

const sorted = (uids: readonly number[]): number[] => [...new Set(uids)].sort((a, b) => a - b)
