import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import { StartError } from '../errors.ts'
import type { Log } from '../log.ts'

/** One lock for the whole run, so that processes starting together migrate one after the other. */
const MIGRATION_LOCK = 7_203_115_401
const LOCK_POLL_MS = 100
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

type MigrationFile = { name: string; text: string; hash: string; inTransaction: boolean }

/**
 * Brings a database to the newest numbered `.sql` file of the folder. Each file commits together with its record, so
 * a crash leaves whole steps only. A file that changed after it ran is refused.
 * A file that begins with `-- no-transaction` runs outside one (CREATE INDEX CONCURRENTLY): it holds one statement and
 * must be repeatable.
 */
export const migrate = async (databaseUrl: string, folder: URL | string, log: Log): Promise<void> => {
  const files = await readMigrations(folder)
  const lockHolder = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // The statement that runs reports a lost connection; without these listeners it would also end the process.
  const noteLoss = (error: Error) => log.warn({ err: error }, 'a database connection was lost while migrating')
  lockHolder.on('error', noteLoss)
  pool.on('error', noteLoss)
  await lockHolder.connect()
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await lockMigrations(lockHolder)
    await refuseHalfRestored(lockHolder)
    await lockHolder.query('create table if not exists migration_hash (name text primary key, hash text not null)')
    await refuseChangedFiles(lockHolder, files)
    await applyPending(kysely, files, log)
  } finally {
    await kysely.destroy()
    await lockHolder.end()
  }
}

/** Stands in a database while a restore fills it; see `kit/backup`. */
export const RESTORE_MARK = 'restore_unfinished'

const refuseHalfRestored = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [
    `public.${RESTORE_MARK}`,
  ])
  if (rows[0]?.isThere)
    throw new StartError('A restore into this database was interrupted. Run "npm run restore" again: it starts over.')
}

/** Asks again and again: a session that waits inside a statement would hold up CREATE INDEX CONCURRENTLY for ever. */
export const lockMigrations = async (client: pg.Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken) return
    await sleep(LOCK_POLL_MS)
  }
}

/** The numbered files of a migrations folder, in order. */
export const readMigrations = async (folder: URL | string): Promise<MigrationFile[]> => {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').sort()
  return Promise.all(
    names.map(async (name) => {
      if (!FILE_NAME.test(name)) throw new Error(`Migration ${name} must be named like 0001_words.sql`)
      const text = await readFile(join(path, name), 'utf8')
      return {
        name: name.slice(0, -'.sql'.length),
        text,
        hash: createHash('sha256').update(text).digest('hex'),
        inTransaction: !text.startsWith('-- no-transaction'),
      }
    }),
  )
}

const refuseChangedFiles = async (client: pg.Client, files: readonly MigrationFile[]): Promise<void> => {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migration_hash')
  for (const { name, hash } of rows) {
    const file = files.find((candidate) => candidate.name === name)
    if (!file)
      throw new StartError(
        `The database was migrated by a newer version (${name} is unknown here). Start that version, or restore a backup made before it.`,
      )
    if (file.hash !== hash)
      throw new StartError(
        `Migration ${name}.sql was changed after it ran on this database, or the database is another service's. Restore the file and put the change into a new migration, or set the URL of a database of its own.`,
      )
  }
}

const applyPending = async (kysely: Kysely<unknown>, files: readonly MigrationFile[], log: Log): Promise<void> => {
  const provider: MigrationProvider = {
    getMigrations: async () => Object.fromEntries(files.map((file) => [file.name, toMigration(file)])),
  }
  const isNew = (await new Migrator({ db: kysely, provider }).getMigrations()).every(({ executedAt }) => !executedAt)
  // One file per call: Kysely's unit of commit is the call, ours is the file.
  for (;;) {
    const executed = await new Migrator({ db: kysely, provider }).getMigrations()
    const next = executed.find((migration) => !migration.executedAt)
    if (!next) {
      if (isNew) log.info({ migrations: executed.length }, 'database created')
      return
    }
    const file = files.find((candidate) => candidate.name === next.name)
    const migrator = new Migrator({ db: kysely, provider, disableTransactions: file?.inTransaction === false })
    const { error } = await migrator.migrateUp()
    if (error) throw new Error(`Migration ${next.name}.sql failed: ${messageOf(error)}`, { cause: error })
    // An upgrade can take long and shows how far it is; a new database is there in a second.
    if (!isNew) log.info({ migration: next.name }, 'database migrated')
  }
}

const toMigration = (file: MigrationFile): Migration => ({
  async up(db) {
    await sql.raw(file.text).execute(db)
    await sql`insert into migration_hash (name, hash) values (${file.name}, ${file.hash})
      on conflict (name) do update set hash = excluded.hash`.execute(db)
  },
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
