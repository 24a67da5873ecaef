import { constants } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** The size limit of a plugin, which is stored, hashed and served whole. */
const MAX_BYTES = 5 * 2 ** 20
const MAX_FILES = 200
/** Folders, and what is passed over, count as well. */
const MAX_ENTRIES = 1_000
const MAX_DEPTH = 8
const MAX_NAME_LENGTH = 100

/** What is wrong with a folder, in words for the people who look after it. */
export class FolderError extends Error {}

export type WalkedFile = {
  /** From the plugin's folder, with slashes. */
  readonly path: string
  readonly size: number
  /** Says that it is the same file with the same content as at another look. */
  readonly state: string
}

/** Every file of the folder, in the order of their paths. Refuses links, special files and what is too much. */
export const walk = async (root: string): Promise<WalkedFile[]> => {
  const files: WalkedFile[] = []
  const folders = ['']
  let size = 0
  let entries = 0
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift())
    for await (const entry of await opendir(join(root, folder))) {
      entries += 1
      if (entries > MAX_ENTRIES) throw new FolderError(`has more than ${MAX_ENTRIES} entries`)
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const found = await look(root, path)
      if (found === 'hidden') continue
      if (found === 'folder') folders.push(path)
      else {
        files.push(found)
        size += found.size
      }
      if (files.length > MAX_FILES) throw new FolderError(`has more than ${MAX_FILES} files`)
      if (size > MAX_BYTES) throw new FolderError(`is larger than ${MAX_BYTES / 2 ** 20} MiB`)
      if (path.split('/').length > MAX_DEPTH) throw new FolderError(`has folders nested deeper than ${MAX_DEPTH}`)
    }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const look = async (root: string, path: string): Promise<WalkedFile | 'folder' | 'hidden'> => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const shown = shorten(path)
  const stat = await lstat(join(root, path), { bigint: true })
  if (stat.isSymbolicLink()) throw new FolderError(`${shown}: is a symbolic link`)
  // Hidden files of editors and version control are neither read nor served.
  if (name.startsWith('.')) return 'hidden'
  if (name.length > MAX_NAME_LENGTH || /[\p{Cc}\\\ufffd]/u.test(name))
    throw new FolderError(`${shown}: has a name that is too long or contains characters that can't be shown`)
  if (stat.isDirectory()) return 'folder'
  if (!stat.isFile()) throw new FolderError(`${shown}: isn't a file or a folder`)
  return { path, size: Number(stat.size), state: [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join() }
}

/** The file's content, if it still is the file that was found. */
export const readWalked = async (root: string, { path, size, state }: WalkedFile): Promise<Buffer> => {
  // Without O_NONBLOCK a pipe that was put in its place would keep us waiting for ever.
  const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat({ bigint: true })
    if ([stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join() !== state) throw changed()
    const bytes = Buffer.alloc(size)
    const { bytesRead } = await handle.read(bytes, 0, size, 0)
    if (bytesRead !== size) throw changed()
    return bytes
  } finally {
    await handle.close()
  }
}

export const changed = (): FolderError => new FolderError('changed while it was being read. Try again.')

const shorten = (path: string): string =>
  (path.length > 120 ? `${path.slice(0, 120)}…` : path).replace(/[\p{Cc}]/gu, ' ')
