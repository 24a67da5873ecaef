import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { flatTree, folderTree } from '../folders/folder-tree.ts'

export type Folders = List<Folder>
type Role = NonNullable<Folder['role']>

export const roleFolder = (folders: Folders, role: Role): Folder => {
  const found = folders.data.find((folder) => folder.role === role)
  if (!found) throw new ProblemError(`This mailbox has no ${role} folder.`)
  return found
}

/** A folder by its id or its role. */
export const findFolder = (folders: Folders, idOrRole: string): Folder => {
  const found = folders.data.find((folder) => folder.id === idOrRole || folder.role === idOrRole)
  if (!found) throw new ProblemError('This folder no longer exists.')
  return found
}

/** Folders that mail can be moved to by hand: those with a role first, each of the others below the one that it is in. */
export const moveTargets = (folders: Folders): { folder: Folder; depth: number }[] =>
  flatTree(folderTree(folders.data)).filter(({ folder: { role } }) => role !== 'snoozed' && role !== 'drafts')
