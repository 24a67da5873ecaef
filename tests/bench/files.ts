import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Of all files below a folder; none when there is no such folder. */
export const bytesIn = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return names
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
