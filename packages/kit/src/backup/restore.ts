import pg from 'pg'
import type { Blobs } from '../blobs/blobs.ts'
import { copyIn } from '../db/copy.ts'
import { lockMigrations, migrate, RESTORE_MARK, readMigrations } from '../db/migrate.ts'
import type { Log } from '../log.ts'
import { checkBackup } from './check.ts'
import { BackupError } from './errors.ts'
import type { Manifest } from './manifest.ts'
import { createProgress, type Progress } from './progress.ts'
import { copyTarget, openSession, SCHEMAS, tableName } from './snapshot.ts'
import { type BackupSource, type Report, secretIdOf } from './source.ts'
import { inParallel, readLines, readPart, readStoredBlob, type Vault } from './stored-blobs.ts'

/** Where to: an empty database, and the migrations of this version. */
export type RestoreTarget = BackupSource & { migrations: URL | string }

export type RestoreOptions = {
  report: Report
  log: Log
  /** Restore although stored credentials can't be read with this SECRET. */
  otherSecret: boolean
  signal?: AbortSignal
}

/** A backup, and where it goes. */
export type Restore = { target: RestoreTarget; vault: Vault; manifest: Manifest }

/**
 * Restores the backups of an instance, one for each service. All of them are checked before anything is changed. From then
 * on no service starts on any of the databases until all are filled, and the restore can be run again: it starts over.
 */
export const restoreBackups = async (restores: readonly Restore[], options: RestoreOptions): Promise<void> => {
  for (const restore of restores) await check(restore, options)
  const claims: Claim[] = []
  try {
    for (const restore of restores) claims.push(await claim(restore))
    for (const each of claims) await load(each, options)
    for (const { control } of claims) await control.query(`drop table public.${RESTORE_MARK}`)
  } finally {
    for (const { control } of claims) await control.end()
  }
  for (const { target } of restores) await migrate(target.databaseUrl, target.migrations, options.log)
}

const check = async ({ target, vault, manifest }: Restore, options: RestoreOptions): Promise<void> => {
  await refuseNewer(target, manifest)
  refuseOtherSecret(target, manifest, options)
  const control = await openSession(target.databaseUrl)
  await refuseUsed(control).finally(() => control.end())
  options.report(`${target.service}: checking the backup`)
  const problems = await checkBackup(vault, manifest, options.report)
  if (problems.length > 0)
    throw new BackupError(["The backup can't be restored, and nothing was changed:", ...problems].join('\n  '))
}

/** A database that is marked as half restored, and the connection that keeps others from migrating it. */
type Claim = Restore & { control: pg.Client }

const claim = async (restore: Restore): Promise<Claim> => {
  const control = await openSession(restore.target.databaseUrl)
  try {
    await lockMigrations(control)
    await begin(control, restore.manifest, await refuseUsed(control))
    return { ...restore, control }
  } catch (error) {
    await control.end()
    throw error
  }
}

const load = async ({ target, vault, manifest, control }: Claim, { report, signal }: RestoreOptions): Promise<void> => {
  const progress = createProgress(target.service, report)
  for (const { name, text } of manifest.schemas) await runTexts(control, name, text.before)
  await loadRows(target.databaseUrl, vault, manifest, { progress, signal })
  report(`${target.service}: building indexes`)
  for (const { name, text } of manifest.schemas) await runTexts(control, name, text.after)
  for (const { value, ...sequence } of manifest.sequences)
    await control.query('select setval($1::regclass, $2)', [tableName(sequence), value])
  await restoreBlobs(await target.blobs(), vault, manifest, { progress, signal })
  await control.query('analyze')
}

const refuseNewer = async ({ migrations, service }: RestoreTarget, manifest: Manifest): Promise<void> => {
  const known = new Map((await readMigrations(migrations)).map(({ name, hash }) => [name, hash]))
  const unknown = manifest.migrations.find(({ name }) => !known.has(name))
  if (unknown)
    throw new BackupError(
      `The backup is of a newer version of Stoa (${service} has no migration ${unknown.name}). Install that version or a later one, then restore.`,
    )
  const changed = manifest.migrations.find(({ name, hash }) => known.get(name) !== hash)
  if (changed)
    throw new BackupError(
      `Migration ${changed.name}.sql isn't the file that the backup was made with. Restore the file from the repository.`,
    )
}

const refuseOtherSecret = (
  { secret, service }: BackupSource,
  manifest: Manifest,
  { otherSecret }: RestoreOptions,
): void => {
  if (otherSecret || secretIdOf(secret) === manifest.secretId) return
  throw new BackupError(
    `SECRET isn't the one that ${service} was backed up with. Set the SECRET of that instance (it is in its .env). Without it, stored credentials such as DKIM keys and passwords of other services can't be read, and everyone is signed out. If it is lost, add --other-secret, and enter those credentials again.`,
  )
}

/** True for what an interrupted restore left; it is removed. Any other table is somebody's data. */
const refuseUsed = async (control: pg.Client): Promise<boolean> => {
  const { rows } = await control.query<{ name: string }>(
    `select relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname = any($1) and relkind in ('r', 'p', 'v', 'm', 'S')`,
    [SCHEMAS],
  )
  if (rows.some(({ name }) => name === RESTORE_MARK)) return true
  if (rows.length > 0)
    throw new BackupError(
      `The database ${control.database ?? ''} isn't empty. Restore into a new instance: set another DATA_DIR, or the URL of an empty database. To restore only one service, add its name.`,
    )
  return false
}

const begin = async (control: pg.Client, { id }: Manifest, isInterrupted: boolean): Promise<void> => {
  await control.query('begin')
  if (isInterrupted) {
    for (const schema of SCHEMAS) await control.query(`drop schema if exists ${schema} cascade`)
    await control.query('create schema public')
  }
  await control.query(`create table public.${RESTORE_MARK} (backup text not null, started_at timestamptz not null)`)
  await control.query(`insert into public.${RESTORE_MARK} values ($1, now())`, [id])
  await control.query('commit')
}

/** Functions may name what comes later. */
const runTexts = async (control: pg.Client, schema: string, texts: readonly string[]): Promise<void> => {
  await control.query('set check_function_bodies = off')
  await control.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`)
  await control.query(`set search_path = ${pg.escapeIdentifier(schema)}`)
  for (const text of texts) await control.query(text)
}

type Watched = { progress: Progress; signal: AbortSignal | undefined }

const CONNECTIONS = 3
const PARALLEL_BLOBS = 6

const loadRows = async (
  url: string,
  vault: Vault,
  { tables }: Manifest,
  { progress, signal }: Watched,
): Promise<void> => {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSession(url)))
  try {
    const free = [...clients]
    const parts = tables.flatMap((table) => table.parts.map((part) => ({ table, part })))
    progress.begin('rows')
    await inParallel(parts, CONNECTIONS, async ({ table, part }) => {
      signal?.throwIfAborted()
      const client = free.pop()
      if (!client) throw new Error('more work than connections')
      await copyIn(client, `copy ${copyTarget(table)} from stdin`, readPart(vault, part))
      free.push(client)
      progress.add(part.rows, part.bytes)
    })
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

const restoreBlobs = async (
  blobs: Blobs,
  vault: Vault,
  { blobs: { parts, missing } }: Manifest,
  { progress, signal }: Watched,
): Promise<void> => {
  const absent = new Set(missing)
  progress.begin('files')
  await inParallel(readLines(vault, parts), PARALLEL_BLOBS, async (key) => {
    signal?.throwIfAborted()
    if (absent.has(key) || (await blobs.head(key))) return
    const { size } = await blobs.put(readStoredBlob(vault, key), { key, maxBytes: Number.MAX_SAFE_INTEGER })
    progress.add(1, size)
  })
  progress.end()
}
