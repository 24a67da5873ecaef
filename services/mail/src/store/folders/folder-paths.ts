import { refuse } from '../refusal.ts'
import type { FolderRow } from './folder-queries.ts'

/** A folder with its name and those of its parents, separated by `/`. */
export type Folder = FolderRow & { path: string }

export const DELIMITER = '/'
const MAX_NAME_LENGTH = 255
export const MAX_DEPTH = 20

/** A name as it is stored; `bad_name` if it cannot be one. */
export const normaliseName = (name: string): string => {
  const normal = name.normalize('NFC')
  const isGood =
    normal.trim() !== '' &&
    normal.length <= MAX_NAME_LENGTH &&
    normal.isWellFormed() &&
    !normal.includes(DELIMITER) &&
    !/[\p{Cc}\u2028\u2029]/u.test(normal)
  return isGood
    ? normal
    : refuse('bad_name', 'a folder name must have 1 to 255 characters, without slashes or control characters')
}

/** RFC 9051 §5.1: INBOX is one name in any case, and only at the top. */
export const isInboxName = (name: string): boolean => name.toLowerCase() === 'inbox'

export const withPaths = (rows: readonly FolderRow[]): Folder[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return rows.map((row) => ({ ...row, path: pathOf(row, byId) }))
}

/** The names from the top down to a folder. */
const pathOf = (row: FolderRow, byId: ReadonlyMap<string, FolderRow>): string => {
  const names: string[] = []
  let at: FolderRow | undefined = row
  while (at && names.length <= MAX_DEPTH) {
    names.unshift(at.name)
    at = at.parentId === null ? undefined : byId.get(at.parentId)
  }
  return names.join(DELIMITER)
}

export const splitPath = (path: string): string[] => path.split(DELIMITER).map((name) => name.normalize('NFC'))

/** The folder at a path, or null. */
export const findByPath = (folders: readonly Folder[], names: readonly string[]): Folder | null => {
  let found: Folder | undefined
  for (const [index, name] of names.entries()) {
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

/** How many folders are above it. */
export const depthOf = (folders: readonly FolderRow[], id: string | null): number => {
  let depth = 0
  for (let at = id; at !== null && depth <= folders.length; depth += 1)
    at = folders.find((folder) => folder.id === at)?.parentId ?? null
  return depth
}

/** The folder and all below it. */
export const subtreeOf = (folders: readonly FolderRow[], id: string): Set<string> => {
  const found = new Set([id])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const folder of folders) if (folder.parentId !== null && found.has(folder.parentId)) found.add(folder.id)
  }
  return found
}

export const heightOf = (folders: readonly FolderRow[], id: string): number =>
  Math.max(...[...subtreeOf(folders, id)].map((each) => depthOf(folders, each))) - depthOf(folders, id)
