import { querySortRows } from '../../../store/store.ts'
import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { toFilter } from '../search/filter.ts'
import { asksForModseq, readKeys, type SearchKey } from '../search/keys.ts'
import { BAD_CHARSET, type ReturnOptions, readNamedCharset, readReturn } from '../search/options.ts'
import { formatEsearch, formatSearch } from '../search/respond.ts'
import { findInView, folderSearch, forgetSaved, numbersOf, returnsResults, save, viewOf } from '../search/run.ts'
import { membersOf, readSortKeys, type SortKey, sortUids } from '../search/sort.ts'
import type { ImapSession } from '../session.ts'

type SortArguments = { options: ReturnOptions | null; order: SortKey[]; key: SearchKey | null }

/** RFC 5256 §3, with ESORT (RFC 5267) and SORT=DISPLAY (RFC 5957). */
export const sort = defineCommand<SortArguments>({
  name: 'SORT',
  states: ['selected'],
  capabilities: afterSignIn('SORT', 'SORT=DISPLAY', 'ESORT'),
  takesUid: true,
  holdsExpunges: ({ isUid }) => !isUid,
  parse(args, session) {
    const options = readReturn(args)
    const order = readSortKeys(args)
    args.space()
    if (!readNamedCharset(args)) return { options, order, key: null }
    return { options, order, key: readKeys(args, { now: session.parts.clock.now() }) }
  },
  async run(session, { options, order, key }, { isUid, tag }) {
    forgetSaved(session, key ? null : options)
    if (!key) return no('Unsupported charset', BAD_CHARSET)
    const view = viewOf(session)
    const rows = await querySortRows(session.parts, folderSearch(view, toFilter(key, view)), membersOf(order))
    const uids = sortUids(
      rows.filter(({ uid }) => view.uids.sequenceOf(uid) > 0),
      order,
    )
    const modseqs = asksForModseq(key) ? await modseqsOf(session, key, uids) : null
    const found = numbersOf(view, { uids, modseqs }, isUid)
    if (options) save(session, options, uids)
    if (!options) await session.out.untagged(formatSearch('SORT', found))
    else if (returnsResults(options)) await session.out.untagged(formatEsearch({ tag, isUid, options }, found))
    if (options?.update) await session.out.untagged(`OK [NOUPDATE "${tag}"] Sorted results cannot be kept up to date`)
    return ok('Sort completed')
  },
})

const modseqsOf = async (session: ImapSession, key: SearchKey, uids: readonly number[]): Promise<number[]> => {
  const found = await findInView(session, viewOf(session), key)
  const byUid = new Map(found.uids.map((uid, index) => [uid, found.modseqs?.[index] ?? 0]))
  return uids.map((uid) => byUid.get(uid) ?? 0)
}
