import { newId } from '@stoa/kit/ids.ts'
import { recordChanges } from '../changes/change-queries.ts'
import type { MailDatabase, MailDb, MailTx } from '../handles.ts'
import { openMailbox } from '../mailbox/mailbox.ts'
import { leaveFolder } from '../messages/removal.ts'
import { refuse } from '../refusal.ts'
import {
  DELIMITER,
  depthOf,
  type Folder,
  findByPath,
  heightOf,
  isInboxName,
  MAX_DEPTH,
  normaliseName,
  splitPath,
  subtreeOf,
  withPaths,
} from './folder-paths.ts'
import {
  deleteFolderRow,
  type FolderMembers,
  findFolderMessages,
  findFolders,
  findViewedFolders,
  insertFolder,
  updateFolderRow,
} from './folder-queries.ts'
import { type AnyRole, isStandardRole } from './folder-roles.ts'

/** Every list of folders is read and sent whole. */
const MAX_FOLDERS = 2_000
const MAX_PURGE_DAYS = 3_650
/** Messages per transaction when a folder is deleted with its messages: each locks the mailbox. */
const BATCH = 1_000

/**
 * All folders of a mailbox in the order in which they are shown. For a viewer the unread counts are theirs, and counted
 * anew with each call.
 */
export const listFolders = async (db: MailDb, addressId: string, viewerId: string | null = null): Promise<Folder[]> =>
  withPaths(await (viewerId === null ? findFolders(db, addressId) : findViewedFolders(db, addressId, viewerId)))

export const findFolder = async (
  db: MailDb,
  addressId: string,
  folderId: string,
  viewerId: string | null = null,
): Promise<Folder | null> => (await listFolders(db, addressId, viewerId)).find(({ id }) => id === folderId) ?? null

export const folderByRole = async (db: MailDb, addressId: string, role: AnyRole): Promise<Folder | null> =>
  (await listFolders(db, addressId)).find((folder) => folder.role === role) ?? null

/** The folder with this path, such as `Projects/Roof`; the first name may be INBOX in any case. */
export const folderByPath = async (db: MailDb, addressId: string, path: string): Promise<Folder | null> =>
  findByPath(await listFolders(db, addressId), splitPath(path))

/** The folder with this path; it is created with its parents if it does not exist. */
export const ensureFolderPath = async (tx: MailTx, addressId: string, path: string): Promise<Folder> => {
  const names = splitPath(path)
  const found = await folderByPath(tx, addressId, path)
  if (found) return found
  // From here on nobody else makes it.
  await openMailbox(tx, addressId)
  for (const depth of names.keys()) {
    const parentPath = names.slice(0, depth).join(DELIMITER)
    const here = await folderByPath(tx, addressId, names.slice(0, depth + 1).join(DELIMITER))
    if (here) continue
    const parent = depth === 0 ? null : await folderByPath(tx, addressId, parentPath)
    await createFolder(tx, { addressId, name: names[depth] ?? '', parentId: parent?.id ?? null })
  }
  return (await folderByPath(tx, addressId, path)) ?? refuse('bad_name', 'the folder path is invalid')
}

export type NewFolder = { addressId: string; name: string } & Partial<Omit<FolderMembers, 'name'>>

/** Makes a folder. `role_taken`: there is a folder with that role; the standard ones are there from the beginning. */
export const createFolder = async (tx: MailTx, input: NewFolder): Promise<Folder> => {
  const { addressId, parentId = null, role = null, position = 0, subscribed = true, purgeDays = null } = input
  const name = normaliseName(input.name)
  checkPurgeDays(purgeDays)
  const box = await openMailbox(tx, addressId)
  const folders = await listFolders(tx, addressId)
  if (folders.length >= MAX_FOLDERS) refuse('too_many', 'this mailbox has too many folders')
  checkPath(folders, { name, parentId, height: 0 })
  checkRole(folders, { id: null, role })
  const id = newId()
  const isNew = await insertFolder(tx, box, { id, name, parentId, role, position, subscribed, purgeDays })
  if (!isNew) refuse('folder_exists', 'a folder with this name already exists')
  await recordChanges(tx, box, [{ kind: 'folder', objectId: id, op: 'created' }])
  return mustFind(await listFolders(tx, addressId), id)
}

export type FolderUpdate = { addressId: string; folderId: string } & Partial<FolderMembers>

/**
 * Renames, moves, orders, subscribes. The inbox keeps its name and place. A role that no other folder has may be given, and
 * taken away from a folder that got it so; standard roles stay (`folder_protected`).
 */
export const updateFolder = async (tx: MailTx, input: FolderUpdate): Promise<Folder> => {
  const { addressId, folderId } = input
  const box = await openMailbox(tx, addressId)
  const folders = await listFolders(tx, addressId)
  const folder = mustFind(folders, folderId)
  const next: FolderMembers = {
    name: input.name === undefined ? folder.name : normaliseName(input.name),
    parentId: input.parentId === undefined ? folder.parentId : input.parentId,
    role: input.role === undefined ? folder.role : input.role,
    position: input.position ?? folder.position,
    subscribed: input.subscribed ?? folder.subscribed,
    purgeDays: input.purgeDays === undefined ? folder.purgeDays : input.purgeDays,
  }
  checkPurgeDays(next.purgeDays)
  if (next.role !== folder.role && isStandardRole(folder.role))
    refuse('folder_protected', 'the role of this folder cannot be changed')
  checkRole(folders, { id: folderId, role: next.role })
  const isMoved = next.name !== folder.name || next.parentId !== folder.parentId
  if (isMoved) {
    if (folder.role === 'inbox') refuse('folder_protected', 'the inbox cannot be renamed or moved')
    if (next.parentId !== null && subtreeOf(folders, folderId).has(next.parentId))
      refuse('bad_name', 'a folder cannot be moved into itself')
    checkPath(folders, { ...next, height: heightOf(folders, folderId) })
    if (folders.some(({ id, name, parentId }) => id !== folderId && name === next.name && parentId === next.parentId))
      refuse('folder_exists', 'a folder with this name already exists')
  }
  await updateFolderRow(tx, box, { id: folderId, ...next })
  await recordChanges(tx, box, [{ kind: 'folder', objectId: folderId, op: 'updated' }])
  return mustFind(await listFolders(tx, addressId), folderId)
}

/** What happens to messages that are in no other folder. */
export type Leftovers = 'refuse' | 'destroy' | 'trash'
export type DeleteFolder = { addressId: string; folderId: string; messages: Leftovers; now: Date }

/** Removes a folder in one transaction; `too_many` if it has more messages than one should move: then `removeFolder`. */
export const deleteFolder = async (tx: MailTx, { addressId, folderId, messages, now }: DeleteFolder): Promise<void> => {
  const box = await openMailbox(tx, addressId)
  const folders = await listFolders(tx, addressId)
  checkDeletable(folders, folderId, messages)
  const left = await emptyOnce(tx, { addressId, folderId, messages, now })
  if (left) refuse('too_many', 'the folder has too many messages to delete it at once')
  await deleteFolderRow(tx, addressId, folderId)
  await recordChanges(tx, box, [{ kind: 'folder', objectId: folderId, op: 'destroyed' }])
}

/** Removes a folder of any size: its messages leave in transactions of their own, the folder in the last one. */
export const removeFolder = async (database: MailDatabase, input: DeleteFolder): Promise<void> => {
  checkDeletable(await listFolders(database.db, input.addressId), input.folderId, input.messages)
  for (let left = true; left; ) left = await database.tx((tx) => emptyOnce(tx, input))
  await database.tx((tx) => deleteFolder(tx, input))
}

/** True when more messages are left. */
const emptyOnce = async (tx: MailTx, { addressId, folderId, messages, now }: DeleteFolder): Promise<boolean> => {
  const ids = await findFolderMessages(tx, addressId, folderId, BATCH + 1)
  if (ids.length === 0) return false
  const trash = messages === 'trash' ? await folderByRole(tx, addressId, 'trash') : null
  await leaveFolder(tx, {
    addressId,
    folderId,
    messageIds: ids.slice(0, BATCH),
    fallbackFolderId: trash?.id ?? null,
    now,
  })
  return ids.length > BATCH
}

const checkDeletable = (folders: readonly Folder[], folderId: string, messages: Leftovers): void => {
  const folder = mustFind(folders, folderId)
  if (isStandardRole(folder.role)) refuse('folder_protected', 'this folder cannot be deleted')
  if (folders.some(({ parentId }) => parentId === folderId))
    refuse('folder_has_children', 'the folder contains other folders')
  if (messages === 'refuse' && folder.total > 0) refuse('folder_not_empty', 'the folder contains messages')
}

const checkPath = (
  folders: readonly Folder[],
  { name, parentId, height }: { name: string; parentId: string | null; height: number },
): void => {
  if (parentId === null && isInboxName(name)) refuse('folder_exists', 'there can only be one inbox')
  if (parentId !== null) mustFind(folders, parentId)
  if (depthOf(folders, parentId) + height >= MAX_DEPTH) refuse('too_many', 'folders are nested too deeply')
}

const checkRole = (folders: readonly Folder[], { id, role }: { id: string | null; role: AnyRole | null }): void => {
  if (role !== null && folders.some((folder) => folder.role === role && folder.id !== id))
    refuse('role_taken', 'another folder already has this role')
}

const checkPurgeDays = (days: number | null): void => {
  const isGood = days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_PURGE_DAYS)
  if (!isGood) refuse('bad_name', 'messages can be deleted after 1 to 3650 days')
}

const mustFind = (folders: readonly Folder[], id: string): Folder =>
  folders.find((folder) => folder.id === id) ?? refuse('no_such_folder', 'the folder does not exist')
