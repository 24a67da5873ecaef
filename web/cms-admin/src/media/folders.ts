import type { MediaFolder } from './queries.ts'

/** A folder in the tree, above the folders that are inside it. */
export type FolderRow = {
  path: string
  /** The last part of the path. */
  name: string
  depth: number
  /** Files directly in it. */
  count: number
  /** Files in it and below. */
  total: number
  hasFolders: boolean
}

/** The folders of files as a tree, with those that only hold folders. */
export const folderRows = (folders: readonly MediaFolder[], also: readonly string[] = []): readonly FolderRow[] => {
  const counts = new Map<string, number>()
  const add = (path: string, count: number) => counts.set(path, (counts.get(path) ?? 0) + count)
  for (const { folder, count } of [...folders, ...also.map((folder) => ({ folder, count: 0 }))]) {
    if (folder === '') continue
    for (const parent of parentsOf(folder)) add(parent, 0)
    add(folder, count)
  }
  const paths = [...counts.keys()].toSorted(byParts)
  return paths.map((path) => {
    const inside = paths.filter((other) => isInside(other, path))
    return {
      path,
      name: nameOf(path),
      depth: path.split('/').length - 1,
      count: counts.get(path) ?? 0,
      total: inside.reduce((sum, other) => sum + (counts.get(other) ?? 0), counts.get(path) ?? 0),
      hasFolders: inside.length > 0,
    }
  })
}

/** Whether a folder is somewhere below another one. */
export const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folders above, outermost first. */
export const parentsOf = (path: string): readonly string[] => {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Where the files of a folder are after it was given another path: those below it go with it. */
export const movedPath = (file: string, from: string, to: string): string => {
  if (file === from) return to
  if (!isInside(file, from)) return file
  return [to, file.slice(from.length + 1)].filter((part) => part !== '').join('/')
}

const compare = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare

/** Part by part, so that what is inside a folder follows it. */
const byParts = (a: string, b: string): number => {
  const left = a.split('/')
  const right = b.split('/')
  for (const [index, part] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = compare(part, other) || (part < other ? -1 : part > other ? 1 : 0)
    if (order !== 0) return order
  }
  return left.length - right.length
}
