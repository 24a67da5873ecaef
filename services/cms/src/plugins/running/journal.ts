import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { CmsTx } from '../../context.ts'
import { recordActivity } from '../../events/events.ts'
import type { Tables } from '../../tables.ts'
import { DEATHS, lockStored, recentDeaths, storable } from '../records/records.ts'
import type { LogLine } from '../sandbox/sandbox.ts'
import { disableFailed, insertRun, type Run, updateDeaths, updateLastError } from './queries.ts'

type Parts = { readonly database: Database<Tables>; readonly clock: Clock; readonly log: Log }

/** A flood of calls must not become a flood of rows: so many a second for each plugin and process. */
const RUNS_PER_SECOND = 5
const MAX_LINES = 50
const MAX_LOGGED = 10_000

/** Keeps what a handler logs, as far as it is not too much. */
export const createLines = (): { readonly lines: readonly LogLine[]; add(line: LogLine): void } => {
  const lines: LogLine[] = []
  let room = MAX_LOGGED
  return {
    lines,
    add({ level, text }) {
      if (lines.length >= MAX_LINES || room <= 0) return
      const kept = storable(text, room)
      room -= Math.max(kept.length, 1)
      lines.push({ level, text: kept })
    },
  }
}

type Start = Pick<Run, 'at' | 'ms' | 'outcome' | 'message'>

/** The code was started, or was not. */
export const recordStart = (tx: CmsTx, plugin: string, start: Start): Promise<void> =>
  insertRun(tx, plugin, { ...start, id: newId(), ms: Math.round(start.ms), kind: 'start', name: 'sandbox', lines: [] })

/** Records the runs of one plugin in this process. */
export type Journal = {
  /** Never fails: what a plugin did is done, whether or not it can be written down. */
  add(run: Omit<Run, 'id' | 'at'>): Promise<void>
  /** The sandbox died. Once too often, and the plugin is switched off in all processes. */
  addDeath(reason: string): Promise<void>
}

export const openJournal = (parts: Parts, { name, hash }: { name: string; hash: string }): Journal => {
  const { database, clock, log } = parts
  let second = 0
  let written = 0
  /** The monotonic clock, because the limit concerns load and not the recorded times. */
  const hasRoom = (): boolean => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) written = 0
    second = now
    written += 1
    return written <= RUNS_PER_SECOND
  }
  const careful = (what: string, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => log.warn({ err: error, plugin: name }, what))

  return {
    add: (run) =>
      careful('a plugin run could not be recorded', async () => {
        if (!hasRoom()) return
        const at = clock.now()
        const message = run.message === null ? null : storable(run.message)
        await database.tx(async (tx) => {
          await insertRun(tx, name, { ...run, message, ms: Math.round(run.ms), id: newId(), at })
          if (run.outcome === 'failed') await updateLastError(tx, name, message ?? '', at)
        })
      }),
    addDeath: (reason) =>
      careful('a plugin crash could not be recorded', async () => {
        const at = clock.now()
        const message = storable(reason)
        log.warn({ plugin: name, reason: message }, 'the sandbox of a plugin died')
        await database.tx(async (tx) => {
          const stored = await lockStored(tx, name)
          // Other files, or none: it was of what no longer runs.
          if (!stored?.enabled || stored.hash !== hash) return
          const deaths = [...recentDeaths(stored, at), at]
          await updateDeaths(tx, name, { deaths, message, at })
          await recordStart(tx, name, { at, ms: 0, outcome: 'failed', message })
          if (deaths.length < DEATHS.most) return
          await disableFailed(tx, name, at)
          await recordActivity({ principal: { kind: 'system', name: 'plugins' }, now: () => at }, tx, {
            action: 'plugin.failed',
            target: { kind: 'plugin', id: name, label: stored.manifest?.label ?? name },
          })
          tx.changes.push({ topic: 'plugin', event: 'plugin.updated', data: { id: name, isPublic: false } })
        })
      }),
  }
}
