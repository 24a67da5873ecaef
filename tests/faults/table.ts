import pg from 'pg'

/** Looks into the tables from outside of the service. */
export type Look = {
  rows<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** The single number that the statement gives. */
  count(text: string, values?: unknown[]): Promise<number>
  close(): Promise<void>
}

const NAME = 'stoa-faults'

export const openLook = (url: string): Look => {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: NAME })
  // Runs end connections and servers on purpose.
  pool.on('error', () => undefined)
  const rows: Look['rows'] = async (text, values = []) => (await pool.query(text, values)).rows
  return {
    rows,
    async count(text, values) {
      const [row] = await rows(text, values)
      return Number(Object.values(row ?? {})[0])
    },
    close: () => pool.end(),
  }
}

/** Connections of the services to this database, without those for notifications. */
export const POOL_CONNECTIONS = `select count(*) from pg_stat_activity
  where datname = current_database() and application_name = 'stoa-cms'`

/** Ends all that is connected, except for this session and the server's own processes. */
export const CUT_ALL = `select count(pg_terminate_backend(pid)) from pg_stat_activity
  where datname = current_database() and application_name <> '${NAME}' and backend_type = 'client backend'`
