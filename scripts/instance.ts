import * as fs from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** The right to use a data folder; one process at a time has it. */
export type Instance = {
  /** Lets commands on this machine reach the databases: name of the service -> URL. */
  publish(databases: Record<string, string>): void
  release(): void
}

/** Undefined when another process uses the data folder. */
export const claimInstance = (dataDir: string): Instance | undefined => {
  const lock = takeLock(join(dataDir, 'instance.lock'))
  if (!lock) return undefined
  const startedAt = new Date().toISOString()
  const publish = (databases: Record<string, string>): void => {
    const file = instanceFile(dataDir)
    const state: InstanceState = { pid: process.pid, startedAt, databases }
    fs.writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
    fs.renameSync(`${file}.new`, file)
  }
  publish({})
  const release = (): void => {
    fs.rmSync(instanceFile(dataDir), { force: true })
    lock.release()
  }
  return { publish, release }
}

const stateSchema = z.object({ pid: z.number(), startedAt: z.string(), databases: z.record(z.string(), z.string()) })

export type InstanceState = z.infer<typeof stateSchema>

/** The state that the process owning the data folder has written; only valid while claiming the folder fails. */
export const readInstance = (dataDir: string): InstanceState | undefined => {
  const file = instanceFile(dataDir)
  return fs.existsSync(file) ? stateSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : undefined
}

/** For the second start in one data folder: what is there, and what to do. */
export const explainBusy = (dataDir: string): string => {
  const state = readInstance(dataDir)
  const holder = state ? `process ${state.pid}, since ${state.startedAt}` : 'it is starting or stopping'
  const stop = state ? `Ctrl-C in its terminal, or "kill ${state.pid}"` : 'Ctrl-C in its terminal'
  return `Stoa is already running in ${dataDir} (${holder}).
  To stop it: ${stop}.
  To run a second instance: set another DATA_DIR and other ports.`
}

const instanceFile = (dataDir: string): string => join(dataDir, 'instance.json')

/**
 * Takes the lock file for this process, or gives undefined when another process has it. SQLite is used for the lock of
 * the operating system that it puts on its file: the kernel releases it when the process ends, also after kill -9, so
 * there are no stale locks and no races about them.
 */
const takeLock = (file: string): { release(): void } | undefined => {
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
