import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { enableCondstore } from '../fetch-response/condstore.ts'
import { follow } from '../search/contexts.ts'
import { toFilter } from '../search/filter.ts'
import { asksForModseq, readKeys, type SearchKey } from '../search/keys.ts'
import { BAD_CHARSET, RETURN_ALL, type ReturnOptions, readCharset, readReturn } from '../search/options.ts'
import { formatEsearch, formatSearch } from '../search/respond.ts'
import { findInView, forgetSaved, numbersOf, returnsResults, save, viewOf } from '../search/run.ts'

/** Null keys: the charset is not known. */
type SearchArguments = { options: ReturnOptions | null; key: SearchKey | null }

/** RFC 9051 §6.4.4, with RFC 5267 and RFC 9394. */
export const search = defineCommand<SearchArguments>({
  name: 'SEARCH',
  states: ['selected'],
  capabilities: afterSignIn('ESEARCH', 'SEARCHRES', 'CONTEXT=SEARCH', 'PARTIAL', 'WITHIN'),
  takesUid: true,
  holdsExpunges: ({ isUid }) => !isUid,
  parse(args, session) {
    const options = readReturn(args)
    if (args.takeKeyword('CHARSET')) {
      args.space()
      if (!readCharset(args, session)) return { options, key: null }
    }
    return { options, key: readKeys(args, { now: session.parts.clock.now() }) }
  },
  async run(session, { options, key }, { isUid, tag }) {
    forgetSaved(session, key ? null : options)
    if (!key) return no('Unsupported charset', BAD_CHARSET)
    const view = viewOf(session)
    if (asksForModseq(key)) await enableCondstore(session)
    // RFC 9051 §6.4.4: IMAP4rev2 knows only ESEARCH.
    const wanted = options ?? (session.enabled.has('IMAP4REV2') ? RETURN_ALL : null)
    const found = await findInView(session, view, key)
    if (options) save(session, options, found.uids)
    const numbers = numbersOf(view, found, isUid)
    if (!wanted) await session.out.untagged(formatSearch('SEARCH', numbers))
    else if (returnsResults(wanted)) await session.out.untagged(formatEsearch({ tag, isUid, options: wanted }, numbers))
    if (wanted?.update) {
      const isFollowed = follow(session, view, { tag, isUid, filter: toFilter(key, view), uids: found.uids })
      if (!isFollowed) await session.out.untagged(`OK [NOUPDATE "${tag}"] Too many live searches`)
    }
    return ok('Search completed')
  },
})
