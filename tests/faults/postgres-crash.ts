import { readPidFile } from '@stoa/kit/postgres/leftover-server.ts'
import type { Look } from './table.ts'

/** SIGQUIT is PostgreSQL's immediate stop: no checkpoint, recovery from the log at the next start. */
export const crash = (cluster: string): void => {
  const postmaster = readPidFile(cluster)
  if (!postmaster) throw new Error('PostgreSQL is not running')
  process.kill(postmaster.pid, 'SIGQUIT')
}

/** When the server began; null while it is away. */
export const startedAt = async (look: Look): Promise<number | null> => {
  const [row] = await look.rows<{ at: Date }>('select pg_postmaster_start_time() as at').catch(() => [])
  return row ? row.at.getTime() : null
}

export const isNewer = (now: number | null, before: number | null): boolean => now !== null && now !== before
