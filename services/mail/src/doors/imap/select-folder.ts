import { firstUnread } from '../../store/store.ts'
import { type Completion, defineCommand, type ImapCommand, ok } from './command.ts'
import { flagsLine, permanentFlagsLine } from './flags.ts'
import { type FoundFolder, findFolder, NO_SUCH_FOLDER, nameOf } from './folders.ts'
import { mailboxName } from './format.ts'
import { type OpenedView, openView } from './open-view.ts'
import type { Arguments } from './parse/arguments.ts'
import { bad } from './parse/bad-command.ts'
import type { SequenceSet } from './parse/sequence-set.ts'
import { type Resync, resync } from './resync.ts'
import { unselectFolder } from './selecting.ts'
import type { ImapSession } from './session.ts'

type SelectArguments = { name: string; hasCondstore: boolean; resync: Resync | null }

/** SELECT and EXAMINE differ in what may be done afterwards only. */
export const selectCommand = (name: string, { isReadOnly }: { isReadOnly: boolean }): ImapCommand =>
  defineCommand<SelectArguments>({
    name,
    states: ['signedIn', 'selected'],
    parse(args, session) {
      const folder = args.mailbox()
      const parsed: SelectArguments = { name: folder, hasCondstore: false, resync: null }
      if (!args.take(' ')) return parsed
      args.list(() => readParameter(args, session, parsed))
      return parsed
    },
    async run(session, given) {
      // RFC 9051 §6.3.2: the one before is closed even if there is no such folder.
      if (session.view) await session.out.untagged('OK [CLOSED] Previous folder closed')
      unselectFolder(session)
      if (given.hasCondstore || given.resync) session.enabled.add('CONDSTORE')
      const found = await findFolder(session, given.name)
      const opened = found && (await openView(session, { ...found, isReadOnly }))
      if (!found || !opened) return NO_SUCH_FOLDER
      session.view = opened.view
      session.state = 'selected'
      return introduce(session, { found, opened, wanted: given.resync })
    },
  })

const readParameter = (args: Arguments, session: ImapSession, parsed: SelectArguments): void => {
  const parameter = args.takeKeyword('CONDSTORE', 'QRESYNC') ?? bad('Unknown parameter')
  if (parameter === 'CONDSTORE') {
    parsed.hasCondstore = true
    return
  }
  // RFC 7162 §3.2.5
  if (!session.enabled.has('QRESYNC')) bad('Enable QRESYNC first')
  args.space()
  parsed.resync = readResync(args)
}

const readResync = (args: Arguments): Resync => {
  args.expect('(')
  const uidValidity = args.nzNumber()
  args.space()
  const modseq = args.number64()
  let known: SequenceSet | null = null
  let match: Resync['match'] = null
  if (args.take(' ') && args.peek() !== '(') {
    known = args.sequenceSet()
    if (!args.take(' ') && args.peek() !== ')') bad('Expected )')
  }
  if (args.take('(')) {
    const sequences = args.sequenceSet()
    args.space()
    match = { sequences, uids: args.sequenceSet() }
    args.expect(')')
  }
  args.expect(')')
  return { uidValidity, modseq, known, match }
}

type Opening = { found: FoundFolder; opened: OpenedView; wanted: Resync | null }

/** All that a client is sent about a folder that it selects. */
const introduce = async (session: ImapSession, { found, opened, wanted }: Opening): Promise<Completion> => {
  const { out, enabled } = session
  const { view, selected } = opened
  const { selection } = selected
  const isRev2 = enabled.has('IMAP4REV2')
  await out.untagged(flagsLine([]))
  await out.untagged(permanentFlagsLine(view, []))
  await out.untagged(`${view.uids.length} EXISTS`)
  if (isRev2) await out.untagged(`LIST () "/" ${mailboxName(session, nameOf(found))}`)
  else await reportRecent(session, found, opened)
  await out.untagged(`OK [UIDVALIDITY ${selection.uidValidity}] UIDs are valid`)
  await out.untagged(`OK [UIDNEXT ${selection.uidNext}] Next UID`)
  await out.untagged(`OK [HIGHESTMODSEQ ${selection.highestModseq}] Highest modification sequence`)
  await out.untagged(`OK [MAILBOXID (${found.folder.id})] Folder ID`)
  if (wanted && wanted.uidValidity === selection.uidValidity) await resync(session, view, wanted, selection)
  return ok('Selected', view.isReadOnly ? 'READ-ONLY' : 'READ-WRITE')
}

/** RFC 3501 §6.3.1; IMAP4rev2 has neither. */
const reportRecent = async (
  { out, parts }: ImapSession,
  { access, folder }: FoundFolder,
  { view, selected }: OpenedView,
): Promise<void> => {
  await out.untagged(`${view.recentCount()} RECENT`)
  const { addressId, viewerId } = access
  const uid =
    viewerId === null && selected.firstUnread !== undefined
      ? selected.firstUnread
      : await firstUnread(parts.database.db, { addressId, viewerId, folderId: folder.id, unread: folder.unread })
  const sequence = uid === null ? 0 : view.uids.sequenceOf(uid)
  if (sequence > 0) await out.untagged(`OK [UNSEEN ${sequence}] First unread message`)
}
