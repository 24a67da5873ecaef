import { readFileSync } from 'node:fs'
import pg from 'pg'
import { type BenchServer, startServer } from './harness.ts'

/** CPU seconds since the start of a measurement. */
export type Used = { server: number; database: number }

export type Measured = Omit<BenchServer, 'perform'> & {
  /** Begins to measure; call what it gives at the end. */
  start(): Promise<() => Promise<Used>>
}

/** A server with the CPU of its connections in PostgreSQL; no other server of this name may be running. */
export const withPostgres = async <S extends Omit<BenchServer, 'perform'>>(
  url: string,
  applicationName: string,
  server: S,
): Promise<S & Measured> => {
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

/** A server that is given the database first; all its connections bear a name of their own. */
export const startMeasured = async (
  file: URL,
  { url, name, args }: { url: string; name: string; args: readonly string[] },
): Promise<BenchServer & Measured> => {
  const named = new URL(url)
  named.searchParams.set('application_name', name)
  return withPostgres(url, name, await startServer(file, [named.href, ...args]))
}

export type Cost = { total: number; own: number; database: number; line: string }

/** Milliseconds of CPU that some work takes of all these servers, each of so many operations. */
export const costOf = async (
  servers: readonly Pick<Measured, 'start'>[],
  work: () => Promise<number>,
): Promise<Cost> => {
  const since = await Promise.all(servers.map((server) => server.start()))
  const operations = await work()
  const used = await Promise.all(since.map((end) => end()))
  const sum = (member: keyof Used) => (used.reduce((all, one) => all + one[member], 0) * 1_000) / operations
  return describeCost(sum('server'), sum('database'))
}

/** The one in the middle, and both of its parts. */
export const medianCost = (costs: readonly Cost[]): Cost => {
  const { own, database } = costs.toSorted((one, other) => one.total - other.total)[(costs.length - 1) >> 1] ?? NOTHING
  return describeCost(own, database)
}

const NOTHING = { own: Number.NaN, database: Number.NaN }

const describeCost = (own: number, database: number): Cost => ({
  total: own + database,
  own,
  database,
  line: `${(own + database).toFixed(2)} ms CPU (${own.toFixed(2)} + PostgreSQL ${database.toFixed(2)})`,
})

const cpuOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9
