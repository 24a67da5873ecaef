import type { Folder } from '@stoa/mail-model/folders.ts'
import { formatCount } from '@stoa/ui/text/format.ts'

export type FolderNode = { folder: Folder; children: readonly FolderNode[] }

/** The folders with a role in the order people look for them; those of one's own follow. */
const ORDER: readonly Folder['role'][] = ['inbox', 'snoozed', 'important', 'drafts', 'sent', 'archive', 'junk', 'trash']

/** The tree of the folders: those with a role first, the others by position and name. */
export const folderTree = (folders: readonly Folder[]): readonly FolderNode[] => {
  const ids = new Set(folders.map(({ id }) => id))
  const byParent = Map.groupBy(folders, ({ parent_id }) =>
    parent_id !== null && ids.has(parent_id) ? parent_id : null,
  )
  const below = (parent: string | null): readonly FolderNode[] =>
    (byParent.get(parent) ?? []).toSorted(compare).map((folder) => ({ folder, children: below(folder.id) }))
  return below(null)
}

const rank = ({ role }: Folder): number => (role === null ? ORDER.length : ORDER.indexOf(role))

const compare = (a: Folder, b: Folder): number =>
  rank(a) - rank(b) || a.position - b.position || a.name.localeCompare(b.name)

/** The tree from top to bottom, each folder with how deep it is. */
export const flatTree = (nodes: readonly FolderNode[], depth = 0): { folder: Folder; depth: number }[] =>
  nodes.flatMap(({ folder, children }) => [{ folder, depth }, ...flatTree(children, depth + 1)])

/** Lists show conversations or single messages, and the numbers of folders count the same. */
export type CountedBy = { readonly conversations: boolean }

/** Rows that a folder's number counts: unread ones, or all where nothing is ever unread. */
export const countOf = (folder: Folder, { conversations }: CountedBy): number => {
  const { role } = folder
  if (role === 'sent' || role === 'trash') return 0
  if (role === 'drafts' || role === 'snoozed') return conversations ? folder.threads : folder.total
  return conversations ? folder.unread_threads : folder.unread
}

/** How many rows of a folder's list are unread; empty for none. */
export const unreadWords = ({ unread, unread_threads: threads }: Folder, { conversations }: CountedBy): string => {
  if (unread === 0) return ''
  return conversations
    ? formatCount(threads, 'unread conversation', 'unread conversations')
    : formatCount(unread, 'unread message', 'unread messages')
}

/** The unread count of all folders below one: they are hidden while it is collapsed. */
export const unreadBelow = ({ children }: FolderNode, by: CountedBy): number =>
  children.reduce((sum, child) => sum + countOf(child.folder, by) + unreadBelow(child, by), 0)

/** Folders that another one can be put into: not itself, and none that is in it. */
export const possibleParents = (folders: readonly Folder[], moved?: Folder): readonly Folder[] =>
  folders.filter((folder) => canContain(folder, moved))

/** Whether a folder can be put into this one. */
export const canContain = ({ role, path }: Folder, moved?: Folder): boolean =>
  (role === null || role === 'archive' || role === 'inbox') &&
  (moved === undefined || (path !== moved.path && !path.startsWith(`${moved.path}/`)))
