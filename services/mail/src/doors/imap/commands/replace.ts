import { listEntries, openMailbox, refuse, removeRows } from '../../../store/store.ts'
import { addMessages, appendUidCode, isPrepared, type Prepared, prepareMessages } from '../append/append.ts'
import { type AppendMessage, parseAppendMessage } from '../append/arguments.ts'
import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { READ_ONLY } from '../folders.ts'
import type { SequenceSet } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'

type ReplaceArguments = { readonly set: SequenceSet; readonly name: string; readonly message: AppendMessage }

/** REPLACE and UID REPLACE (RFC 8508): the new message comes and the old one goes at the same moment. */
export const replace = defineCommand<ReplaceArguments>({
  name: 'REPLACE',
  states: ['selected'],
  capabilities: afterSignIn('REPLACE'),
  takesUid: true,
  takesMessages: true,
  parse(args) {
    const number = args.sequenceNumber()
    args.space()
    const name = args.mailbox()
    args.space()
    const set = { isSaved: false, ranges: [{ first: number, last: number }] }
    return { set, name, message: parseAppendMessage(args) }
  },
  async run(session, { set, name, message }, { isUid }) {
    const { view } = session
    if (!view || view.isReadOnly) return READ_ONLY
    if (!view.access.mayWrite) return no('This folder is read-only', 'NOPERM')
    const [uid] = view.resolve(set, isUid)
    if (uid === undefined) return no('No such message', 'NONEXISTENT')
    const prepared = await prepareMessages(session, name, [message])
    if (!isPrepared(prepared)) return prepared
    const uids = await replaceMessage(session, view, { uid, prepared })
    // RFC 8508 §3.4: before the old message goes.
    await session.out.untagged(`OK [${appendUidCode(prepared.to, uids)}] Replacement added`)
    return ok('Replaced')
  },
})

const replaceMessage = (
  { parts }: ImapSession,
  view: FolderView,
  { uid, prepared }: { uid: number; prepared: Prepared },
): Promise<number[]> => {
  const { addressId } = view.access
  const folderId = view.folder.id
  const now = parts.clock.now()
  return parts.database.tx(async (tx) => {
    // In one order, so that two that go opposite ways do not wait for each other.
    for (const id of [...new Set([addressId, prepared.to.access.addressId])].sort()) await openMailbox(tx, id)
    const [old] = await listEntries(tx, { addressId, folderId, fromUid: uid, toUid: uid })
    if (!old) return refuse('no_such_message', 'the message no longer exists')
    const isSameRoom = addressId === prepared.to.access.addressId
    const uids = await addMessages(tx, prepared, { now, moreBytes: isSameRoom ? old.size : 0 })
    // The message may have a new id by now: the one that replaces it may have merged threads.
    const rows = await listEntries(tx, { addressId, folderId, fromUid: uid, toUid: uid })
    await removeRows(tx, { addressId, folderId, rows, now })
    return uids
  })
}
