import pg from 'pg'
import { ConfigError } from '../config.ts'

/** Left for other programs, backups and the operator's repairs. */
const SPARE_CONNECTIONS = 10
/** Besides the pool, a process listens on one. */
const LISTENING_CONNECTIONS = 1
const CONNECT_TIMEOUT_MS = 5_000

type Asker = { query(statement: { text: string }): Promise<{ max: number }[]> }
const MAX_CONNECTIONS = { text: `select current_setting('max_connections')::integer as max` }

/** How many connections the server takes, from everybody together. */
export const findMaxConnections = async (db: Asker): Promise<number> => (await db.query(MAX_CONNECTIONS))[0]?.max ?? 0

/** Found at the start rather than under load, when the last connections would be refused. */
export const refuseTooManyConnections = async (
  db: Asker,
  { poolSize, processes, variable }: { poolSize: number; processes: number; variable: string },
): Promise<void> => {
  const offered = (await findMaxConnections(db)) - SPARE_CONNECTIONS
  if (processes * (poolSize + LISTENING_CONNECTIONS) <= offered) return
  const most = Math.floor(offered / processes) - LISTENING_CONNECTIONS
  const problem =
    processes === 1
      ? `${poolSize} is more than the database allows. Set ${most} or less, or raise its max_connections.`
      : `${poolSize} in each of ${processes} processes is more than the database allows. Set ${most} or less, set ${variable} to ${processesFor(offered, poolSize)} or less, or raise its max_connections.`
  throw new ConfigError([{ name: 'DB_POOL_SIZE', problem }])
}

/** How many of the wanted processes the database has connections for; all of them while it cannot be asked. */
export const processesThatFit = async (url: string, wanted: number, poolSize: number): Promise<number> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(MAX_CONNECTIONS.text)
    return Math.max(1, Math.min(wanted, processesFor(rows[0].max - SPARE_CONNECTIONS, poolSize)))
  } catch {
    return wanted
  } finally {
    await client.end().catch(() => undefined)
  }
}

const processesFor = (offered: number, poolSize: number): number =>
  Math.max(1, Math.floor(offered / (poolSize + LISTENING_CONNECTIONS)))
