import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import type { FakeS3 } from '../../lib/fake-s3.ts'
import { until } from '../readiness.ts'

/** Count and sum of hashes of each table: plain SQL, nothing of what makes backups. */
export type Fingerprint = Record<string, string>

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'stoa-comparison' })
  await client.connect()
  return client
}

const TABLES = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname in ('public', 'jobs') order by 1`

const fingerprintOf = async (client: pg.Client): Promise<Fingerprint> => {
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  const found: Fingerprint = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as text from ${name} as t`,
    )
    found[name] = rows[0]?.text ?? ''
  }
  return found
}

/** Of a database that nobody writes to. */
export const readFingerprint = async (url: string): Promise<Fingerprint> => {
  const client = await connect(url)
  return fingerprintOf(client).finally(() => client.end())
}

/** One service is backed up after the other. */
const BACKUP_MS = 900_000

/**
 * Looks at a database with the very snapshot that a backup has. The backup reads a table that nobody else needs right
 * after it has taken its snapshot: locked, it waits there until we have joined.
 */
export const joinSnapshot = async (url: string) => {
  const [gate, reader] = [await connect(url), await connect(url)]
  await gate.query('begin; lock table migration_hash in access exclusive mode')
  return {
    /** To be asked once the backup has been started. */
    async fingerprint(): Promise<Fingerprint> {
      await until('the snapshot of the backup', () => takesSnapshot(reader), { limitMs: BACKUP_MS })
      await gate.query('rollback')
      return fingerprintOf(reader)
    },
    close: () => Promise.all([gate.end(), reader.end()]),
  }
}

/** PostgreSQL names an exported snapshot after the transaction that has it, which everybody can see. */
const SNAPSHOTS = `select distinct format('%s-%s-1', lpad(upper(to_hex(split_part(virtualtransaction, '/', 1)::bigint)), 8, '0'),
    lpad(upper(to_hex(split_part(virtualtransaction, '/', 2)::bigint)), 8, '0')) as id
  from pg_locks join pg_stat_activity using (pid)
  where application_name = 'stoa-backup' and datname = current_database()`

const takesSnapshot = async (reader: pg.Client): Promise<boolean> => {
  const { rows } = await reader.query<{ id: string }>(SNAPSHOTS)
  for (const { id } of rows) {
    try {
      await reader.query('begin isolation level repeatable read read only')
      await reader.query(`set transaction snapshot ${pg.escapeLiteral(id)}`)
      return true
    } catch {
      await reader.query('rollback')
    }
  }
  return false
}

/** Tables that are not the same, by name. */
export const differences = (expected: Fingerprint, found: Fingerprint): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter((name) => expected[name] !== found[name])
    .map((name) => `${name} has ${found[name] ?? 'gone'} instead of ${expected[name] ?? 'nothing'}`)

/** The stored bytes of a key, past the code that stored them; nothing when there are none. */
export type FileReader = (key: string) => AsyncIterable<Buffer>

export const inFolder =
  (folder: string): FileReader =>
  (key) =>
    createReadStream(join(folder, key.slice(0, 2), key.slice(2, 4), key))

/** Objects are found by the last part of their name, below the name of the service. */
export const inBucket = ({ objects }: Pick<FakeS3, 'objects'>, service: string): FileReader => {
  const own = [...objects].filter(([name]) => name.startsWith(`${service}/`))
  const byKey = new Map(own.map(([name, { bytes }]) => [name.split('/').at(-1), bytes]))
  return async function* (key) {
    yield byKey.get(key) ?? Buffer.alloc(0)
  }
}

/** The files that these tables name, hashed where they are stored: how many there are, and which are not right. */
export const checkFiles = async (
  url: string,
  { read, tables }: { read: FileReader; tables: readonly string[] },
): Promise<{ files: number; wrong: string[] }> => {
  const client = await connect(url)
  const { rows } = await client
    .query<{ key: string }>(tables.map((table) => `select blob_key as key from ${table}`).join(' union '))
    .finally(() => client.end())
  const wrong: string[] = []
  for (const { key } of rows) {
    const hash = createHash('sha256')
    await pipeline(read(key), hash).catch(() => undefined)
    if (hash.digest('hex') !== key) wrong.push(`the file ${key} is missing or damaged`)
  }
  return { files: rows.length, wrong }
}
