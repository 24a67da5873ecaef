import { afterSignIn, type Completion, defineCommand, no, ok } from '../command.ts'
import { enableCondstore } from '../fetch-response/condstore.ts'
import { type FetchTrouble, fetchMessages } from '../fetch-response/fetch.ts'
import { type FetchItem, parseFetchItems } from '../fetch-response/fetch-items.ts'
import { vanishedSince } from '../fetch-response/vanished.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import type { SequenceSet } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'

type Modifiers = { readonly changedSince: number; readonly wantsVanished: boolean }
type FetchArguments = Modifiers & { readonly set: SequenceSet; readonly items: readonly FetchItem[] }

/** FETCH and UID FETCH (RFC 9051 §6.4.5), with CHANGEDSINCE and VANISHED (RFC 7162 §3.1.4.1, §3.2.6). */
export const fetch = defineCommand<FetchArguments>({
  name: 'FETCH',
  states: ['selected'],
  capabilities: afterSignIn('BINARY', 'PREVIEW', 'SAVEDATE'),
  takesUid: true,
  holdsExpunges: ({ isUid }) => !isUid,
  parse(args, session, { isUid }) {
    const set = args.sequenceSet()
    args.space()
    const items = parseFetchItems(args)
    const modifiers = args.take(' ') ? parseModifiers(args) : NONE
    if (modifiers.wantsVanished) checkVanished(session, modifiers, isUid)
    return { set, items, ...modifiers }
  },
  async run(session, { set, items, changedSince, wantsVanished }, { isUid }) {
    const { view, parts } = session
    if (!view) return no('Select a folder first')
    if (changedSince > 0 || items.some(({ kind }) => kind === 'MODSEQ')) await enableCondstore(session)
    const uids = view.resolve(set, isUid)
    if (wantsVanished) {
      const vanished = await vanishedSince(parts.database.db, view, { set, since: changedSince })
      if (vanished !== '') await session.out.untagged(`VANISHED (EARLIER) ${vanished}`)
    }
    return completionOf(await fetchMessages(session, view, { items, uids, changedSince, isUid }), isUid)
  },
})

const NONE: Modifiers = { changedSince: 0, wantsVanished: false }

const parseModifiers = (args: Arguments): Modifiers => {
  let { changedSince, wantsVanished } = NONE
  args.list(() => {
    const name = args.takeKeyword('CHANGEDSINCE', 'VANISHED') ?? bad('Unknown modifier')
    if (name === 'VANISHED') wantsVanished = true
    else {
      args.space()
      changedSince = args.number64() || bad('The modification sequence must be at least 1')
    }
  })
  return { changedSince, wantsVanished }
}

const checkVanished = (session: ImapSession, { changedSince }: Modifiers, isUid: boolean): void => {
  if (!isUid) bad('VANISHED requires UID FETCH')
  if (changedSince === 0) bad('VANISHED requires CHANGEDSINCE')
  if (!session.enabled.has('QRESYNC')) bad('Enable QRESYNC first')
}

const completionOf = ({ damaged, undecodable, missing }: FetchTrouble, isUid: boolean): Completion => {
  if (damaged > 0) return no(`${damaged} of the messages could not be read; the others were sent`, 'SERVERBUG')
  if (undecodable > 0) return no('Unknown encoding of a part; fetch it with BODY', 'UNKNOWN-CTE')
  // RFC 9051 §6.4.9: UIDs that are not there are no error.
  if (missing > 0 && !isUid) return no('Some of the messages no longer exist', 'EXPUNGEISSUED')
  return ok('Fetched')
}
