import { quotaOf } from '../../../hosting/plans/plans.ts'
import { listUids, moveUids, updateFolder } from '../../../store/store.ts'
import { type Completion, defineCommand, no, ok } from '../command.ts'
import { type FoundFolder, findFolder, NO_SUCH_FOLDER, nameOf } from '../folders.ts'
import {
  type FolderTarget,
  folderTargetOf,
  makeNew,
  makePath,
  NO_PERMISSION,
  reportName,
  splitLast,
} from '../list/changes.ts'
import type { ImapSession } from '../session.ts'

/** Messages of the inbox that one transaction moves. */
const BATCH = 1_000

/** RFC 9051 §6.3.6. */
export const rename = defineCommand<{ from: string; to: string }>({
  name: 'RENAME',
  states: ['signedIn', 'selected'],
  parse(args) {
    const from = args.mailbox()
    args.space()
    return { from, to: args.mailbox() }
  },
  async run(session, { from, to }) {
    const found = await findFolder(session, from)
    if (!found) return NO_SUCH_FOLDER
    if (!found.access.mayManage) return NO_PERMISSION
    const target = await folderTargetOf(session, to)
    if ('status' in target) return target
    if (target.access.addressId !== found.access.addressId)
      return no('A folder cannot be moved to another mailbox', 'CANNOT')
    return found.folder.role === 'inbox' ? emptyInbox(session, found, target) : move(session, found, target, from)
  },
})

const move = async (
  session: ImapSession,
  { access, folder }: FoundFolder,
  target: FolderTarget,
  oldName: string,
): Promise<Completion> => {
  const { parent, name } = splitLast(target.path)
  const moved = await session.parts.database.tx(async (tx) => {
    const above = await makePath(tx, { ...target, path: parent })
    const now = { addressId: access.addressId, folderId: folder.id, name, parentId: above?.id ?? null }
    return updateFolder(tx, now)
  })
  await reportName(session, nameOf({ access, folder: moved }), oldName)
  return ok('Folder renamed')
}

/** RFC 9051 §6.3.6: the inbox stays, its messages move. */
const emptyInbox = async (
  { parts }: ImapSession,
  { access, folder }: FoundFolder,
  target: FolderTarget,
): Promise<Completion> => {
  const { database, clock } = parts
  const { addressId } = access
  const made = await database.tx((tx) => makeNew(tx, target))
  const quotaBytes = await quotaOf(database.db, addressId)
  const uids = await listUids(database.db, addressId, folder.id)
  for (let at = 0; at < uids.length; at += BATCH) {
    const some = uids.slice(at, at + BATCH)
    const input = { addressId, folderId: folder.id, toFolderId: made.id, uids: some, quotaBytes, now: clock.now() }
    await database.tx((tx) => moveUids(tx, input))
  }
  return ok('Messages of the inbox moved')
}
