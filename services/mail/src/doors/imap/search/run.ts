import { type Filter, type FolderSearch, queryUidModseqs, queryUids } from '../../../store/store.ts'
import { setOfNumbers } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'
import { toFilter } from './filter.ts'
import { asksForModseq, type SearchKey } from './keys.ts'
import type { ReturnOptions } from './options.ts'
import type { Found } from './respond.ts'
import { savedOf } from './saved.ts'

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

/** Looks for messages; only those that the client knows of are found. */
export const findInView = async (session: ImapSession, view: FolderView, key: SearchKey): Promise<FoundUids> => {
  const filter = toFilter(key, view)
  if (!asksForModseq(key)) {
    const uids = isEverything(filter)
      ? [...view.uids.values()]
      : await queryUids(session.parts, folderSearch(view, filter))
    return { uids: uids.filter((uid) => view.uids.sequenceOf(uid) > 0), modseqs: null }
  }
  const found = await queryUidModseqs(session.parts, folderSearch(view, filter))
  const known = found.filter(({ uid }) => view.uids.sequenceOf(uid) > 0)
  return { uids: known.map(({ uid }) => uid), modseqs: known.map(({ modseq }) => modseq) }
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

/** Whether there is anything to tell besides what was saved. */
export const tellsResults = ({ min, max, all, count, partial, update }: ReturnOptions): boolean =>
  min || max || all || count || partial !== null || update
