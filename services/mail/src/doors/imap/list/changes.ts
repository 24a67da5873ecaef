import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  type AnyRole,
  createFolder,
  DELIMITER,
  type Folder,
  findByPath,
  listFolders,
  type MailTx,
  openMailbox,
  refuse,
  splitPath,
} from '../../../store/store.ts'
import { type Completion, no } from '../command.ts'
import { locate, SHARED_ROOT } from '../folders.ts'
import { mailboxName, nstring } from '../format.ts'
import { encodeMailboxName } from '../parse/mailbox-name.ts'
import { type ImapSession, isUtf8 } from '../session.ts'

/** The destination of a folder. */
export type FolderTarget = { readonly access: MailboxAccess; readonly path: string }

export const NO_PERMISSION: Completion = no('You cannot change these folders', 'NOPERM')
const NOT_HERE: Completion = no('Invalid folder name', 'CANNOT')

/** A name for a folder that is to be made, without the delimiter that says there will be others inside (RFC 9051 §6.3.4). */
export const folderTargetOf = async (session: ImapSession, name: string): Promise<FolderTarget | Completion> => {
  const trimmed = name.endsWith(DELIMITER) ? name.slice(0, -1) : name
  const found = await locate(session, trimmed)
  const isReserved = found?.access.viewerId === null && splitPath(trimmed)[0] === SHARED_ROOT
  if (!found || isReserved) return NOT_HERE
  return found.access.mayManage ? found : NO_PERMISSION
}

/** Makes all folders of a path that are not there; nobody subscribes to them by that. */
export const makePath = async (tx: MailTx, { access, path }: FolderTarget): Promise<Folder | null> => {
  if (path === '') return null
  const names = splitPath(path)
  // From here on nobody else makes them.
  await openMailbox(tx, access.addressId)
  let folders = await listFolders(tx, access.addressId)
  let folder: Folder | null = null
  for (const [index, name] of names.entries()) {
    const here = findByPath(folders, names.slice(0, index + 1))
    if (here) {
      folder = here
      continue
    }
    folder = await createFolder(tx, {
      addressId: access.addressId,
      name,
      parentId: folder?.id ?? null,
      subscribed: false,
    })
    folders = [...folders, folder]
  }
  return folder
}

/** Creates a folder; refuses if it exists. */
export const makeNew = async (tx: MailTx, wanted: FolderTarget, role: AnyRole | null = null): Promise<Folder> => {
  const { parent, name } = splitLast(wanted.path)
  const above = await makePath(tx, { ...wanted, path: parent })
  return createFolder(tx, {
    addressId: wanted.access.addressId,
    name,
    parentId: above?.id ?? null,
    subscribed: false,
    role,
  })
}

/** `a/b/c` as what is above and the name itself. */
export const splitLast = (path: string): { parent: string; name: string } => {
  const at = path.lastIndexOf(DELIMITER)
  if (at === 0) return refuse('bad_name', 'a folder has a name')
  return at === -1 ? { parent: '', name: path } : { parent: path.slice(0, at), name: path.slice(at + 1) }
}

/** RFC 9051 §6.3.9.7: the name that a folder has now, if the client cannot know it. */
export const reportName = async (session: ImapSession, name: string, oldName: string): Promise<void> => {
  if (!session.enabled.has('IMAP4REV2')) return
  const old = nstring(session, encodeMailboxName(oldName, { isUtf8: isUtf8(session) }))
  await session.out.untagged(`LIST () "${DELIMITER}" ${mailboxName(session, name)} ("OLDNAME" (${old}))`)
}
