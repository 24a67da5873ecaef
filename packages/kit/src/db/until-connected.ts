import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'

/** A start may wait longer for the database than a request. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 100

/**
 * Comes back once the pool has a connection. While a process starts on a busy machine, the first takes longer than a
 * request may wait for one: that must not end the process.
 */
export const untilConnected = async (
  { ping }: Pick<Database<unknown>, 'ping'>,
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  for (const end = performance.now() + patienceMs; ; await sleep(PAUSE_MS))
    try {
      return await ping()
    } catch (error) {
      if (performance.now() >= end) throw error
    }
}
