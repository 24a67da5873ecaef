import pg from 'pg'
import { readSchema, type SchemaText } from '../db/schema-dump.ts'
import { SCHEMA as JOBS } from '../jobs/dead-letters.ts'
import { BackupError } from './errors.ts'

/** A table with the columns that have values of their own. */
export type Table = { schema: string; name: string; columns: string[]; bytes: number }

/** A database as it was at one moment. */
export type Snapshot = {
  takenAt: Date
  postgres: string
  migrations: { name: string; hash: string }[]
  schemas: { name: string; text: SchemaText }[]
  tables: Table[]
  sequences: { schema: string; name: string; value: string }[]
  /** A further connection that sees the same. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

export const SCHEMAS = ['public', JOBS]

/** A server that is silent is not waited for: the schedule would never look again. */
const CONNECT_TIMEOUT_MS = 30_000

/** A connection that may take its time; the services' own limits are for requests. */
export const openSession = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'stoa-backup',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // The running query reports a lost connection; an error event without a listener would end the process.
  client.on('error', () => undefined)
  await client.connect()
  for (const setting of SETTINGS) await client.query(`set ${setting}`)
  return client
}

/** Limits off, and values written in the same way by every server. */
const SETTINGS = [
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `lock_timeout = '30s'`,
  `timezone = 'UTC'`,
  `datestyle = 'ISO, YMD'`,
  `intervalstyle = 'postgres'`,
  'extra_float_digits = 3',
  `client_encoding = 'UTF8'`,
  'synchronize_seqscans = off',
]

const BEGIN = 'begin isolation level repeatable read read only'

export const takeSnapshot = async (url: string): Promise<Snapshot> => {
  const holder = await openSession(url)
  const others: pg.Client[] = []
  try {
    await holder.query(BEGIN)
    const { rows } = await holder.query<{ id: string; takenAt: Date; postgres: string }>(
      `select pg_export_snapshot() as id, now() as "takenAt", current_setting('server_version') as postgres`,
    )
    const [found] = rows
    if (!found) throw new BackupError('The database gave no snapshot.')
    const migrations = await readMigrationHashes(holder)
    const present = await holder.query<{ name: string }>(
      'select nspname as name from pg_namespace where nspname = any($1)',
      [SCHEMAS],
    )
    const schemas: Snapshot['schemas'] = []
    for (const name of SCHEMAS.filter((schema) => present.rows.some((row) => row.name === schema)))
      schemas.push({ name, text: await readSchema(holder, name) })
    return {
      takenAt: found.takenAt,
      postgres: found.postgres,
      migrations,
      schemas,
      tables: (await holder.query<Table>(TABLES, [SCHEMAS])).rows,
      sequences: (await holder.query<Snapshot['sequences'][number]>(SEQUENCES, [SCHEMAS])).rows,
      async connect() {
        const client = await openSession(url)
        others.push(client)
        await client.query(BEGIN)
        await client.query(`set transaction snapshot ${pg.escapeLiteral(found.id)}`)
        return client
      },
      close: async () => void (await Promise.all([holder, ...others].map((client) => client.end()))),
    }
  } catch (error) {
    await holder.end()
    throw error
  }
}

/** Which migrations have run, in their order. */
export const readMigrationHashes = async (client: pg.Client): Promise<{ name: string; hash: string }[]> => {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from public.migration_hash order by name',
  )
  return rows
}

/** The largest first, so that the last ones to be copied are small. Partitions are tables; what they are part of has no rows. */
const TABLES = `
  select nspname as schema, relname as name, pg_table_size(c.oid)::float8 as bytes,
    array(select attname::text from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname = any($1) and relkind = 'r'
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
  order by bytes desc, 1, 2`

const SEQUENCES = `
  select schemaname as schema, sequencename as name, last_value::text as value
  from pg_sequences where schemaname = any($1) and last_value is not null order by 1, 2`

/** The table's name with its columns, as COPY wants them. */
export const copyTarget = ({ schema, name, columns }: Pick<Table, 'schema' | 'name' | 'columns'>): string =>
  `${tableName({ schema, name })} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`

export const tableName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
