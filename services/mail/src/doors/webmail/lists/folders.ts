import type { FolderInput, Folder as FolderJson, FolderListRequest, FolderUpdate } from '@stoa/mail-model/folders.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { pageOf } from '../../../pagination/pagination.ts'
import { signInOf } from '../../../principal.ts'
import { createFolder, type Folder, findFolder, listFolders, removeFolder, updateFolder } from '../../../store/store.ts'
import { withStore } from '../refusals.ts'

/** The folder that a path names, in the mailbox of the signed-in user. */
export const loadFolder = async (ctx: Ctx, { params }: { params: { folder_id: string } }): Promise<Folder> =>
  (await findFolder(ctx.db, signInOf(ctx).address.id, params.folder_id)) ?? fail('not_found')

/** A mailbox has few folders: one statement reads them all. */
export const getFolders = async (ctx: Ctx, list: FolderListRequest): Promise<List<FolderJson>> => {
  const folders = await listFolders(ctx.db, signInOf(ctx).address.id)
  const places = new Map(folders.map(({ id }, index) => [id, index]))
  const { rows, total } = pageOf(folders, list, {
    text: ({ path }) => path,
    columns: { position: ({ id }) => places.get(id) ?? 0, name: ({ path }) => path.toLowerCase() },
  })
  return toList(list, total, rows.map(folderJson))
}

export const addFolder = (ctx: Ctx, { name, parent_id: parentId = null }: FolderInput): Promise<FolderJson> =>
  withStore(async () => {
    const addressId = signInOf(ctx).address.id
    return folderJson(await ctx.tx((tx) => createFolder(tx, { addressId, name, parentId, position: OWN_POSITION })))
  })

/** Behind the folders that every mailbox has. */
const OWN_POSITION = 100

export const changeFolder = (ctx: Ctx, folderId: string, body: FolderUpdate): Promise<FolderJson> =>
  withStore(async () => {
    const { name, parent_id: parentId, position } = body
    const change = {
      ...(name !== undefined && { name }),
      ...(parentId !== undefined && { parentId }),
      ...(position !== undefined && { position }),
    }
    const addressId = signInOf(ctx).address.id
    return folderJson(await ctx.tx((tx) => updateFolder(tx, { addressId, folderId, ...change })))
  })

/** Moves messages that are in no other folder to the trash. */
export const deleteFolder = (ctx: Ctx, folderId: string) =>
  withStore(async () => {
    const addressId = signInOf(ctx).address.id
    await removeFolder(ctx.parts.database, { addressId, folderId, messages: 'trash', now: ctx.now() })
    return { object: 'folder', id: folderId, deleted: true } as const
  })

export const folderJson = (folder: Folder): FolderJson => ({
  object: 'folder',
  id: folder.id,
  name: folder.name,
  path: folder.path,
  parent_id: folder.parentId,
  role: folder.role,
  total: folder.total,
  unread: folder.unread,
  threads: folder.threads,
  unread_threads: folder.unreadThreads,
  position: folder.position,
})
