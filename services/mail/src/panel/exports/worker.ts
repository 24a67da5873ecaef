import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type Claim, createQueueTable } from '@stoa/kit/queue/table.ts'
import { createQueueWorker, type QueueWorker } from '@stoa/kit/queue/worker.ts'
import { zipOf } from '@stoa/kit/zip/zip.ts'
import type { SharedParts } from '../../context.ts'
import { linkExport } from '../../store/store.ts'
import type { ExportPiece } from '../../tables/exports.ts'
import type { Tables } from '../../tables.ts'
import { archiveEntries, type Progress } from './archive.ts'
import { EXPORT_TOPIC } from './exports.ts'
import { deleteExportLinks, type ExportRow, listExportedAddresses, updateProgress } from './queries.ts'

export type ExportParts = {
  database: Database<Tables>
  blobs: SharedParts['blobs']
  bus: Bus
  log: Log
  clock: Clock
  /** For tests. */
  tuning?: Partial<Tuning>
}

type Tuning = { leaseMs: number; pollMs: number; pieceBytes: number }
const TUNING: Tuning = {
  // A killed process is noticed after this; a living one makes it longer three times in it.
  leaseMs: 30_000,
  pollMs: 10_000,
  // Object stores take some gigabytes at once.
  pieceBytes: 2 ** 30,
}

/** Each reads all of an account: two at once in a process, one of an account. */
const LIMITS = { healthy: 2, failing: 0, slow: 0, perKey: 1 }
const MAX_CLAIMS = 5
const DAY_MS = 86_400_000
const KEPT_MS = 7 * DAY_MS
const PROGRESS_EVERY = 200

type Row = Pick<ExportRow, 'account_id' | 'address_ids' | 'format' | 'created_at'>

const exportTable = createQueueTable<Row>({
  table: 'mail_export',
  id: 'id',
  key: 'account_id::text',
  dueAt: 'next_at',
  fence: 'claims',
  onClaim: "status = 'running'",
  onRelease: "status = 'queued'",
  columns: 'item.account_id, item.address_ids, item.format, item.created_at',
})

/** Makes the files of exports. Any number of processes may run one each on the same database. */
export const startExports = (parts: ExportParts): Pick<QueueWorker, 'stop'> => {
  const worker = createExportWorker(parts)
  const leave = parts.bus.subscribe(({ topic, event }) => {
    if (topic === EXPORT_TOPIC && event === 'queued') worker.wake()
  }, worker.wake)
  worker.start()
  return {
    async stop() {
      leave()
      await worker.stop(0)
    },
  }
}

export const createExportWorker = (parts: ExportParts): QueueWorker => {
  const { database, log, clock } = parts
  const tuning = { ...TUNING, ...parts.tuning }
  return createQueueWorker<Tables, Row>({
    database,
    table: exportTable,
    name: 'an export',
    log,
    now: clock.now,
    leaseMs: tuning.leaseMs,
    pollMs: tuning.pollMs,
    isExtended: true,
    limits: LIMITS,
    work: (claim, { signal }) => makeExport(parts, claim, { signal, tuning }),
  })
}

/** The export was deleted, or another process has claimed it: there is nothing to record. */
class ExportLost extends Error {}

type Work = { signal: AbortSignal; tuning: Tuning }

const makeExport = async (parts: ExportParts, claim: Claim<Row>, work: Work): Promise<void> => {
  try {
    await writeArchive(parts, claim, work)
  } catch (error) {
    if (error instanceof ExportLost) return
    // Given back for another process, or due again when the lease ends.
    if (work.signal.aborted || claim.fence < MAX_CLAIMS) throw error
    parts.log.error({ err: error, exportId: claim.id }, 'an export failed')
    await end(parts, claim, { status: 'failed', error: 'The server ran into an unexpected error. Try again.' })
  }
}

/** From the beginning: what another process left of it is let go. */
const writeArchive = async (parts: ExportParts, claim: Claim<Row>, { signal, tuning }: Work): Promise<void> => {
  const { database, blobs, log, clock } = parts
  const { account_id: accountId, address_ids: addressIds, format, created_at: createdAt } = claim.row
  const addresses = await listExportedAddresses(database.db, { accountId, addressIds })
  if (addresses.length === 0 && addressIds !== null)
    return end(parts, claim, { status: 'cancelled', error: 'The addresses were deleted.' })
  const total = addresses.reduce((sum, { messages }) => sum + messages, 0)
  const progress: Progress = { done: 0, damaged: 0 }
  const pieces: ExportPiece[] = []
  const write = async (linked: ExportPiece | null): Promise<void> => {
    signal.throwIfAborted()
    const isOurs = await database.tx(async (tx) => {
      if (!(await updateProgress(tx, claim, { total, done: progress.done, pieces }))) return false
      if (linked) await linkExport(tx, { ownerId: accountId, refId: claim.id, blob: linked, now: clock.now() })
      return true
    })
    if (!isOurs) throw new ExportLost()
  }
  await database.tx(async (tx) => {
    if (!(await updateProgress(tx, claim, { total, done: 0, pieces }))) throw new ExportLost()
    await deleteExportLinks(tx, accountId, claim.id)
  })

  let reported = 0
  const reportProgress = async (): Promise<void> => {
    if (progress.done - reported < PROGRESS_EVERY) return signal.throwIfAborted()
    reported = progress.done
    await write(null)
  }
  const archive = archiveEntries({ db: database.db, blobs, log }, { addresses, format, createdAt, progress })
  for await (const source of piecesOf(zipOf(archive), tuning.pieceBytes, reportProgress)) {
    const { key, size } = await blobs.put(source, { maxBytes: tuning.pieceBytes })
    // The end of the file may be the end of a piece.
    if (size === 0) continue
    const piece = { key, size }
    pieces.push(piece)
    await write(piece)
  }
  await end(parts, claim, {
    status: 'completed',
    error: progress.damaged === 0 ? null : damagedText(progress.damaged),
    total: progress.done,
  })
}

const damagedText = (count: number): string =>
  `${count === 1 ? '1 message' : `${count} messages`} couldn't be read and ${count === 1 ? 'is' : 'are'} missing.`

const later = (now: Date): Date => new Date(now.getTime() + KEPT_MS)

type End = { status: 'completed' | 'failed' | 'cancelled'; error: string | null; total?: number }

const end = ({ database, clock }: ExportParts, claim: Claim<Row>, { status, error, total }: End): Promise<void> =>
  database.tx(async (tx) => {
    const now = clock.now()
    const counts = total === undefined ? {} : { messages_total: total, messages_done: total }
    const set = { status, error, finished_at: now, expires_at: later(now), ...counts }
    if (!(await exportTable.settle(tx, claim, { dueAt: null, set }))) throw new ExportLost()
    const { account_id: accountId } = claim.row
    if (status !== 'completed') await deleteExportLinks(tx, accountId, claim.id)
    tx.changes.push({ topic: EXPORT_TOPIC, event: 'ended', data: { accountId, exportId: claim.id } })
  })

/** Cuts a stream into streams of at most so many bytes, one after the other. */
async function* piecesOf(
  source: AsyncGenerator<Buffer>,
  maxBytes: number,
  onChunk: () => Promise<void>,
): AsyncGenerator<AsyncGenerator<Buffer>> {
  let rest: Buffer | null = null
  let isOver = false
  const piece = async function* (): AsyncGenerator<Buffer> {
    let room = maxBytes
    while (room > 0) {
      if (rest === null) {
        const next = await source.next()
        if (next.done) {
          isOver = true
          return
        }
        await onChunk()
        rest = next.value
      }
      const part: Buffer = rest.subarray(0, room)
      rest = part.length < rest.length ? rest.subarray(part.length) : null
      room -= part.length
      yield part
    }
  }
  try {
    while (!isOver) yield piece()
  } finally {
    await source.return(undefined)
  }
}
