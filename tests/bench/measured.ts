import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { BenchServer } from './harness.ts'

/** CPU seconds since the start of a measurement. */
export type Used = { server: number; database: number }

export type Measured = BenchServer & {
  /** Begins to measure; call what it gives at the end. */
  start(): Promise<() => Promise<Used>>
}

/** A server with the CPU of its connections in PostgreSQL; no other server of this name may be running. */
export const withPostgres = async (url: string, applicationName: string, server: BenchServer): Promise<Measured> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const cpuByPid = async (): Promise<Map<number, number>> => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
      [applicationName],
    )
    return new Map(rows.map(({ pid }) => [pid, cpuOf(pid)]))
  }
  return {
    ...server,
    async start() {
      const [own, connections] = [await server.cpuSeconds(), await cpuByPid()]
      return async () => {
        const ended = await server.cpuSeconds()
        // One that was opened meanwhile began with nothing.
        const used = [...(await cpuByPid())].map(([pid, cpu]) => cpu - (connections.get(pid) ?? 0))
        return { server: ended - own, database: used.reduce((sum, cpu) => sum + cpu, 0) }
      }
    },
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}

const cpuOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9
