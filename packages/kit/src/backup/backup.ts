import { randomBytes } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import type pg from 'pg'
import { BlobError, type Blobs } from '../blobs/blobs.ts'
import { copyOut, type RowBlock } from '../db/copy.ts'
import type { Secret } from '../secret.ts'
import { encodeFile } from './container.ts'
import { type DestinationOptions, openDestination } from './destination.ts'
import { BackupError } from './errors.ts'
import { BACKUPS, type BackupPart, fileOf, type Manifest, newBackupId, writeManifest } from './manifest.ts'
import { createProgress, type Progress, withoutItems } from './progress.ts'
import { createProtection } from './protection.ts'
import { removeOldBackups } from './retention.ts'
import { claimRun, finishRun, LEASE_SECONDS, type NewRun, type RunSummary, renewRun } from './runs.ts'
import { copyTarget, openSession, readMigrationHashes, type Snapshot, tableName, takeSnapshot } from './snapshot.ts'
import { type BackupSource, type Report, secretIdOf } from './source.ts'
import { blobFile, inParallel, readLines, type Vault } from './stored-blobs.ts'

export type BackupOptions = Omit<DestinationOptions, 'service'> & {
  passphrase: Secret | null
  /** How many backups stay in the destination; null: all. */
  keep: number | null
  report: Report
  due?: NewRun['due']
  signal?: AbortSignal
}

export type MadeBackup = { id: string; summary: RunSummary }

/**
 * Backs up a service while it runs: rows as of one moment, then every blob that they name and that an earlier backup here
 * doesn't have. Null when another backup is under way or, by the schedule, none is due.
 */
export const makeBackup = async (source: BackupSource, options: BackupOptions): Promise<MadeBackup | null> => {
  const control = await openSession(source.databaseUrl)
  try {
    await refuseUnprepared(control)
    const id = newBackupId(new Date(), randomBytes(3).toString('hex'))
    const claim = { id, destination: options.to, ...(options.due && { due: options.due }) }
    if (!(await claimRun(control, claim))) return null
    try {
      const summary = await underLease(control, id, options.signal, (signal) =>
        copyEverything({ ...source, control, id, signal }, options),
      )
      await finishRun(control, id, { summary })
      return { id, summary }
    } catch (error) {
      await finishRun(control, id, { error: error instanceof Error ? error.message : String(error) }).catch(
        () => undefined, // without its lease the run counts as interrupted soon
      )
      throw error
    }
  } finally {
    await control.end().catch(() => undefined)
  }
}

const refuseUnprepared = async (control: pg.Client): Promise<void> => {
  const { rows } = await control.query(`select to_regclass('public.backup_run') is not null as ready`)
  if (rows[0]?.ready) return
  throw new BackupError(
    'This database is empty, or of an older version of Stoa. Start this version once, or back up with the version it belongs to.',
  )
}

/** Renews the lease as long as the work takes. A process that has lost it must not write a manifest: blobs may be gone. */
const underLease = async <R>(
  control: pg.Client,
  id: string,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> => {
  const lost = new AbortController()
  const timer = setInterval(
    () =>
      void renewRun(control, id).then(
        (isOurs) => isOurs || lost.abort(lostLease()),
        (error: unknown) => lost.abort(error),
      ),
    (LEASE_SECONDS * 1_000) / 6,
  )
  try {
    return await work(outer ? AbortSignal.any([outer, lost.signal]) : lost.signal)
  } finally {
    clearInterval(timer)
  }
}

type Run = BackupSource & { control: pg.Client; id: string; signal: AbortSignal }

const copyEverything = async (run: Run, options: BackupOptions): Promise<RunSummary> => {
  const destination = await openDestination({ ...options, service: run.service })
  try {
    const vault = { destination, protection: await createProtection(destination, options.passphrase) }
    const summary = await fill(run, vault, options.report).catch(async (error: unknown) => {
      await removeUnfinished(vault, run.id).catch(() => undefined) // a later backup removes it
      throw error
    })
    if (options.keep !== null)
      await removeOldBackups(vault, options.keep).catch((error: unknown) =>
        options.report(`${run.service}: older backups couldn't be removed: ${String(error)}`),
      )
    return summary
  } finally {
    await destination.close()
  }
}

/** The manifest is written last: only with it does the backup count. */
const fill = async (run: Run, vault: Vault, report: Report): Promise<RunSummary> => {
  const progress = createProgress(run.service, report)
  const rows = await copyRows(run, vault, progress)
  const { copied, missing } = await copyBlobs(run, vault, { parts: rows.blobs.parts, progress })
  const manifest = { ...rows, blobs: { ...rows.blobs, missing } }
  await refuseMigrated(run.control, manifest)
  if (!(await renewRun(run.control, run.id))) throw lostLease()
  run.signal.throwIfAborted()
  await writeManifest(vault.destination, vault.protection, manifest)
  return {
    rows: sum(manifest.tables.map((table) => table.rows)),
    blobs: manifest.blobs.count,
    copiedBlobs: copied,
    missingBlobs: missing.length,
  }
}

const lostLease = (): BackupError => new BackupError('The backup lost its lease: it was stopped for too long.')

const removeUnfinished = async ({ destination }: Vault, id: string): Promise<void> => {
  for await (const name of destination.list(`${BACKUPS}${id}/`)) await destination.delete(name)
}

/** A table that was written anew since the snapshot looks empty in it. */
const refuseMigrated = async (control: pg.Client, { migrations }: Manifest): Promise<void> => {
  if (JSON.stringify(await readMigrationHashes(control)) !== JSON.stringify(migrations))
    throw new BackupError('The database was migrated during the backup. Run it again.')
}

/** Few, so that the services keep most of the machine. */
const CONNECTIONS = 3
/** The size of a part's text before compression. */
const PART_BYTES = 64 * 2 ** 20

const copyRows = async (run: Run, vault: Vault, progress: Progress): Promise<Manifest> => {
  const { id, service, secret, databaseUrl, blobTables, signal } = run
  const snapshot = await takeSnapshot(databaseUrl)
  try {
    const tables: Manifest['tables'] = []
    let blobs: BackupPart[] = []
    const copy = (client: pg.Client, text: string, name: string, counted = progress) => {
      const nameOf = (index: number) => fileOf(id, `${name}.${index}`)
      return writeParts(copyOut(client, text), { vault, signal, progress: counted, nameOf })
    }
    const tasks = [
      async (client: pg.Client) => {
        blobs = await copy(client, blobKeysOf(blobTables), 'blob-keys', withoutItems(progress))
      },
      ...snapshot.tables.map((table) => async (client: pg.Client) => {
        const { schema, name, columns } = table
        const parts = await copy(client, `copy ${copyTarget(table)} to stdout`, `${schema}.${name}`)
        tables.push({ schema, name, columns, rows: sum(parts.map(({ rows }) => rows)), parts })
      }),
    ]
    progress.begin('rows')
    await spread(snapshot, tasks, signal)
    const { takenAt, postgres, migrations, schemas, sequences } = snapshot
    return {
      format: 1,
      id,
      service,
      takenAt: takenAt.toISOString(),
      postgres,
      migrations,
      secretId: secretIdOf(secret),
      schemas,
      tables,
      sequences,
      blobs: { count: sum(blobs.map(({ rows }) => rows)), parts: blobs, missing: [], tables: [...blobTables] },
    }
  } finally {
    await snapshot.close()
  }
}

const blobKeysOf = (tables: readonly string[]): string => {
  const selects = tables.map((name) => `select blob_key from ${tableName({ schema: 'public', name })}`)
  return `copy (${selects.join(' union ')} order by 1) to stdout`
}

/** A few connections take the tasks in their order. After a failure none begins another. */
const spread = async (
  snapshot: Snapshot,
  tasks: readonly ((client: pg.Client) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> => {
  const waiting = [...tasks]
  const failed = new AbortController()
  const takeTasks = async (): Promise<void> => {
    const client = await snapshot.connect()
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      signal.throwIfAborted()
      failed.signal.throwIfAborted()
      await task(client)
    }
  }
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      takeTasks().catch((error: unknown) => {
        failed.abort(error)
        throw error
      }),
    ),
  )
}

type PartOptions = { vault: Vault; signal: AbortSignal; progress: Progress; nameOf: (index: number) => string }

/** Writes rows into as many files as they need. */
const writeParts = async (
  blocks: AsyncGenerator<RowBlock, void>,
  { vault: { destination, protection }, signal, progress, nameOf }: PartOptions,
): Promise<BackupPart[]> => {
  const parts: BackupPart[] = []
  try {
    let next = await blocks.next()
    while (!next.done) {
      const file = nameOf(parts.length)
      let rows = 0
      let bytes = 0
      const text = async function* () {
        while (!next.done && bytes < PART_BYTES) {
          signal.throwIfAborted()
          rows += next.value.rows
          bytes += next.value.bytes.length
          progress.add(next.value.rows, next.value.bytes.length)
          yield next.value.bytes
          next = await blocks.next()
        }
      }
      const stored = await destination.put(file, encodeFile(text(), { name: file, protection }))
      parts.push({ file, rows, bytes, ...stored })
    }
    return parts
  } finally {
    await blocks.return()
  }
}

const PARALLEL_BLOBS = 6
/** Larger ones are streamed. */
const AT_ONCE_BYTES = 2 ** 20
/** More are no damage here and there: the storage is not the one that the rows are about. */
const MAX_MISSING = 1_000

const copyBlobs = async (
  { blobs, signal }: Run,
  vault: Vault,
  { parts, progress }: { parts: readonly BackupPart[]; progress: Progress },
): Promise<{ copied: number; missing: string[] }> => {
  const store = await blobs()
  const missing: string[] = []
  let copied = 0
  progress.begin('files')
  await inParallel(readLines(vault, parts), PARALLEL_BLOBS, async (key) => {
    signal.throwIfAborted()
    const outcome = await copyBlob(store, vault, { key, signal })
    progress.add(1, outcome.bytes)
    if (outcome.state === 'copied') copied += 1
    if (outcome.state === 'missing') missing.push(key)
    if (missing.length > MAX_MISSING)
      throw new BackupError(
        `More than ${MAX_MISSING} files are missing or damaged. Check the storage settings (STORAGE_DRIVER, STORAGE_LOCAL_DIR, OBJECT_*).`,
      )
  })
  progress.end()
  return { copied, missing: missing.sort() }
}

type BlobOutcome = { state: 'copied' | 'known' | 'missing'; bytes: number }

const copyBlob = async (
  blobs: Blobs,
  { destination, protection }: Vault,
  { key, signal }: { key: string; signal: AbortSignal },
): Promise<BlobOutcome> => {
  const name = blobFile(key, protection)
  if (await destination.has(name)) return { state: 'known', bytes: 0 }
  try {
    const { stream, size } = await blobs.get(key)
    const content = size <= AT_ONCE_BYTES ? Buffer.concat(await stream.toArray()) : addAbortSignal(signal, stream)
    await destination.put(name, encodeFile(content, { name, protection }))
    return { state: 'copied', bytes: size }
  } catch (error) {
    if (error instanceof BlobError && (error.problem === 'missing' || error.problem === 'corrupt'))
      return { state: 'missing', bytes: 0 }
    throw error
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
