import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/database.ts'
import type { Finding } from '../health/health.ts'
import { type LastRuns, readLastRuns } from './runs.ts'

const DAY_MS = 86_400_000
/** Other backup tools touch this file in the data folder when they are done. */
const BACKUP_MARK = 'last-backup'

/** How old the last backup is, whichever way it was made, and whether the last one worked. */
export const checkBackups = async <T>(
  db: Pick<Db<T>, 'query'>,
  { dataDir, now }: { dataDir: string; now: Date },
): Promise<Finding> => {
  const markedAt = await stat(join(dataDir, BACKUP_MARK)).then(
    ({ mtime }) => mtime,
    () => null,
  )
  return judgeBackups({ ...(await readLastRuns(db)), markedAt }, now)
}

const ACTION = 'Run "npm run backup -- <folder>", or set BACKUP_TO for automatic backups (see docs/runbook.md).'

export const judgeBackups = (
  { goodAt, missingBlobs, error, markedAt }: LastRuns & { markedAt: Date | null },
  now: Date,
): Finding => {
  const times = [goodAt, markedAt].filter((at) => at !== null).map((at) => at.getTime())
  const days = times.length === 0 ? null : Math.max(0, Math.floor((now.getTime() - Math.max(...times)) / DAY_MS))
  const age = days === null ? 'No backup yet.' : `The last backup is ${days === 1 ? '1 day' : `${days} days`} old.`
  const message = error === null ? age : `${age} The last attempt failed: ${error}`
  const value = days === null ? {} : { value: days }
  if (days !== null && days > 7) return { status: 'error', message, action: ACTION, ...value }
  if (days === null || days > 2) return { status: 'warning', message, action: ACTION, ...value }
  if (error !== null)
    return { status: 'warning', message, action: 'Solve the problem, then run "npm run backup".', ...value }
  if (missingBlobs > 0)
    return {
      status: 'warning',
      message: `${message} ${missingBlobs === 1 ? '1 file was' : `${missingBlobs} files were`} missing or damaged in the storage.`,
      action: 'Run "npm run backup:check" to see them, and restore them from an older backup.',
      ...value,
    }
  return { status: 'ok', message, ...value }
}
