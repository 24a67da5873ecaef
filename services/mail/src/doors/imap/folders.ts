import { type MailboxAccess, ownAccess } from '../../hosting/shares/shares.ts'
import { DELIMITER, type Folder, findByPath, listFolders, splitPath } from '../../store/store.ts'
import { type Completion, no } from './command.ts'
import type { ImapSession } from './session.ts'

/** Mailboxes that others share with the signed-in user are below this (RFC 2342, other users' namespace). */
export const SHARED_ROOT = 'Shared'

/** A folder, and what this client may do with it. */
export type FoundFolder = { readonly access: MailboxAccess; readonly folder: Folder }

/** Whose mailbox a name is in, and the path of the folder there; null if the name is only that of a shared mailbox. */
export const locate = async (
  session: ImapSession,
  name: string,
): Promise<{ access: MailboxAccess; path: string } | null> => {
  const { signIn } = session
  if (!signIn) return null
  const own = { access: ownAccess(signIn.address), path: name }
  const prefix = `${SHARED_ROOT}${DELIMITER}`
  if (!name.startsWith(prefix)) return own
  const rest = name.slice(prefix.length)
  const slash = rest.indexOf(DELIMITER)
  const email = (slash === -1 ? rest : rest.slice(0, slash)).toLowerCase()
  const [, ...shared] = await session.accesses()
  const access = shared.find((each) => each.email === email)
  if (!access) return own
  return slash === -1 ? null : { access, path: rest.slice(slash + 1) }
}

/** The folder of that name, as clients write it; null if there is none. */
export const findFolder = async (session: ImapSession, name: string): Promise<FoundFolder | null> => {
  const place = await locate(session, name)
  if (!place) return null
  const folders = await listFolders(session.parts.database.db, place.access.addressId)
  const folder = findByPath(folders, splitPath(place.path))
  return folder && { access: place.access, folder }
}

/** The folder name that clients see. */
export const nameOf = ({ access, folder }: FoundFolder): string => {
  // The inbox is the only folder at the top that may be called so, in any letter case.
  const path = folder.path.replace(/^inbox(?=\/|$)/i, 'INBOX')
  return access.viewerId === null ? path : [SHARED_ROOT, access.email, path].join(DELIMITER)
}

export const NO_SUCH_FOLDER: Completion = no('No such folder', 'NONEXISTENT')
/** For APPEND, COPY and MOVE: the client may create it and try again. */
export const TRY_CREATE: Completion = no('No such folder', 'TRYCREATE')
export const READ_ONLY: Completion = no('This folder is read-only', 'READ-ONLY')
