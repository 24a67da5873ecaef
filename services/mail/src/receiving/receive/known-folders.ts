import { type FolderRole, isInboxName, splitPath } from '../../store/store.ts'

/** The members of a folder that a delivery needs. */
export type KnownFolder = { id: string; parentId: string | null; name: string; role: FolderRole | null }

/** The folder that a filter means, when it is among these; the inbox is that in any case. */
export const findKnown = (folders: readonly KnownFolder[], path: string): KnownFolder | null => {
  let found: KnownFolder | undefined
  for (const [index, name] of splitPath(path).entries()) {
    const parentId = found?.id ?? null
    found = folders.find(
      (folder) =>
        folder.parentId === parentId &&
        (index === 0 && isInboxName(name) ? folder.role === 'inbox' : folder.name === name),
    )
    if (!found) return null
  }
  return found ?? null
}
