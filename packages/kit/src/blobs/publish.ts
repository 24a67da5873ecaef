import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from './spool.ts'

/** Moves a complete file to its path below the root. */
export type Publish = (file: string, path: string) => Promise<void>

/** Gives a complete file its final name, so that both outlive a power cut. */
export const createPublish = (root: string): Publish => {
  // The name of a folder lives in the one above it. Another process may have made it a moment ago without having synced
  // it yet, so this process does that once, for all names that are there by then.
  const lasting = new Set<string>()
  const makeLasting = async (folder: string): Promise<void> => {
    if (folder === root || lasting.has(folder)) return
    const parent = dirname(folder)
    await makeLasting(parent)
    const names = await readdir(parent)
    await syncFolder(parent)
    for (const name of names) lasting.add(join(parent, name))
  }

  return async (file, path) => {
    const target = join(root, path)
    const folder = dirname(target)
    try {
      await rename(file, target)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(file, target)
    }
    await Promise.all([syncFolder(folder), makeLasting(folder)])
  }
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
