import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupSettings } from '../config/backup.ts'
import type { Log } from '../log.ts'
import { makeBackup } from './backup.ts'
import { BackupError } from './errors.ts'
import type { BackupSource } from './source.ts'

/** How often a process looks whether a backup is due, and how long after a failed one. */
const LOOK_MS = 60_000
const RETRY_SECONDS = 900

export type BackupSchedule = { stop(): Promise<void> }

/** Backs up by the settings for as long as the process runs; of several processes, one at a time. Null without a schedule. */
export const startBackups = (
  source: BackupSource,
  { settings, log, lookMs = LOOK_MS }: { settings: BackupSettings; log: Log; lookMs?: number },
): BackupSchedule | null => {
  const { to, everyHours } = settings
  if (to === null) return null
  const stopping = new AbortController()
  const { signal } = stopping
  const due = { everySeconds: everyHours * 3_600, retrySeconds: Math.min(RETRY_SECONDS, everyHours * 3_600) }
  const report = (line: string): void => log.debug(line)
  const look = async (): Promise<void> => {
    try {
      const made = await makeBackup(source, { ...settings, to, due, report, signal })
      if (made) log.info({ backup: made.id, ...made.summary }, 'a backup was made')
    } catch (err) {
      if (!signal.aborted) log.error({ err }, 'a backup failed')
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await look()
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop() {
      stopping.abort(new BackupError('Stoa was stopped during the backup.'))
      return running
    },
  }
}
