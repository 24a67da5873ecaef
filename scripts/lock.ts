import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the lock file for this process, or gives undefined when another process has it. SQLite is used for the lock of
 * the operating system that it puts on its file: the kernel releases it when the process ends, also after kill -9, so
 * there are no stale locks and no races about them.
 */
export const takeLock = (file: string): { release(): void } | undefined => {
  const holder = new DatabaseSync(file, { timeout: 0 })
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    holder.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
  return { release: () => holder.close() }
}

const SQLITE_BUSY = 5
