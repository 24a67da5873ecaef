import { Readable } from 'node:stream'
import { keepWhileBackedUp } from '@stoa/kit/backup/runs.ts'
import { BlobError, type BlobSource, type Blobs, type SweepResult } from '@stoa/kit/blobs/blobs.ts'
import { inBatches } from '@stoa/kit/db/batches.ts'
import { Fault } from '@stoa/kit/errors.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { MailDatabase, MailTx } from '../handles.ts'
import { refuse, StoreRefusal } from '../refusal.ts'
import { type BlobLink, deleteExpiredLinks, findLinkedKeys, sumUploads, upsertBlobLink } from './blob-queries.ts'

/** Stores the bytes of a message; they are on the disk when it resolves. One byte more than the limit is `too_large`. */
export const putMessage = async (
  blobs: Blobs,
  source: BlobSource,
  { maxBytes }: { maxBytes: number },
): Promise<{ key: string; size: number }> => {
  try {
    const { key, size } = await blobs.put(source, { maxBytes })
    return { key, size }
  } catch (error) {
    if (error instanceof Fault && error.kind === 'too_large')
      return refuse('too_large', `a message can have up to ${maxBytes} bytes`)
    throw error
  }
}

/** Uploads that nobody used are gone after a day. */
const UPLOAD_LIFE_MS = 24 * 3_600_000

/** Keeps an upload for a while. All of an owner together may have so many bytes, else `over_quota`. */
export const linkUpload = async (
  tx: MailTx,
  {
    ownerId,
    refId,
    blob,
    maxBytes,
    now,
  }: { ownerId: string; refId: string; blob: { key: string; size: number }; maxBytes: number; now: Date },
): Promise<{ expiresAt: Date }> => {
  const used = await sumUploads(tx, ownerId, now)
  if (used + blob.size > maxBytes) refuse('over_quota', 'too many unused uploads')
  const expiresAt = new Date(now.getTime() + UPLOAD_LIFE_MS)
  await upsertBlobLink(tx, { ownerId, blob, kind: 'upload', refId, now, expiresAt })
  return { expiresAt }
}

/** Keeps a piece of an export of an account, until the export is deleted. */
export const linkExport = (tx: MailTx, link: Omit<BlobLink, 'kind' | 'expiresAt'>): Promise<void> =>
  upsertBlobLink(tx, { ...link, kind: 'export' })

const EXPIRED_BATCH = 1_000
/** Bytes come before the row that names them; a message under way takes minutes, not a day. */
const GRACE_MS = 86_400_000

/** Removes expired links, and then blobs without any link that are older than the grace period. */
export const sweepBlobs = async (
  database: MailDatabase,
  blobs: Blobs,
  { now, graceMs = GRACE_MS }: { now: Date; graceMs?: number },
): Promise<SweepResult> => {
  await inBatches(database, EXPIRED_BATCH, (tx, limit) => deleteExpiredLinks(tx, now, limit))
  return blobs.sweep({
    keep: keepWhileBackedUp(database.db, (keys) => findLinkedKeys(database.db, keys)),
    olderThan: new Date(now.getTime() - graceMs),
  })
}

/** A message as its bytes are kept: our own header fields, then what was received. */
export type MessageBytes = { id: string; blobKey: string; prefix: Buffer; size: number }

/** A range of the blob, excluding `end`: offsets of a structure refer to the blob. */
export type ByteWindow = { start: number; end: number }

/** Up to here a blob is read whole and its content compared with its key, whatever part was asked for. */
const CHECKED_BYTES = 4 * 2 ** 20

/**
 * Bytes of the blob of a message, without the prefix. What is missing or damaged is logged and refused as `no_such_blob`:
 * other messages are not affected.
 */
export const readBlob = async (
  blobs: Blobs,
  message: MessageBytes,
  { window, log }: { window?: ByteWindow; log: Log },
): Promise<Buffer> => {
  const size = message.size - message.prefix.length
  const { start, end } = window ?? { start: 0, end: size }
  if (start >= end) return Buffer.alloc(0)
  try {
    const isWhole = size <= CHECKED_BYTES || (start === 0 && end >= size)
    const read = await blobs.get(message.blobKey, isWhole ? {} : { range: { start, end: end - 1 } })
    const bytes = await collect(read.stream)
    return isWhole ? bytes.subarray(start, end) : bytes
  } catch (error) {
    throw damageOf(error, message, log)
  }
}

/** All bytes of a message, or those in a window of them; the prefix comes first. */
export const readBytes = async (
  blobs: Blobs,
  message: MessageBytes,
  { window, log }: { window?: ByteWindow; log: Log },
): Promise<Buffer> => {
  const { prefix, size } = message
  const { start, end } = window ?? { start: 0, end: size }
  const first = prefix.subarray(start, end)
  const blobWindow = { start: Math.max(0, start - prefix.length), end: Math.min(end, size) - prefix.length }
  const rest = await readBlob(blobs, message, { window: blobWindow, log })
  return first.length === 0 ? rest : Buffer.concat([first, rest])
}

/** All bytes of a message as a stream, for messages of any size. It fails before its last bytes if they are damaged. */
export const streamBytes = (blobs: Blobs, message: MessageBytes, log: Log): Readable =>
  Readable.from(pieces(blobs, message, log), { objectMode: false })

async function* pieces(blobs: Blobs, message: MessageBytes, log: Log): AsyncGenerator<Buffer> {
  if (message.prefix.length > 0) yield message.prefix
  try {
    const { stream } = await blobs.get(message.blobKey)
    yield* stream
  } catch (error) {
    throw damageOf(error, message, log)
  }
}

/** A window of the blob of a message, without the prefix, piece by piece. Only the whole is compared with its key. */
export async function* streamBlob(
  blobs: Blobs,
  message: MessageBytes,
  { window: { start, end }, log }: { window: ByteWindow; log: Log },
): AsyncGenerator<Buffer, void, undefined> {
  if (start >= end) return
  const isWhole = start === 0 && end >= message.size - message.prefix.length
  try {
    const { stream } = await blobs.get(message.blobKey, isWhole ? {} : { range: { start, end: end - 1 } })
    yield* stream
  } catch (error) {
    throw damageOf(error, message, log)
  }
}

const collect = async (stream: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

const damageOf = (error: unknown, message: MessageBytes, log: Log): unknown => {
  const isDamage = error instanceof BlobError && ['missing', 'corrupt', 'bad_range'].includes(error.problem)
  if (!isDamage) return error
  log.error(
    { messageId: message.id, blobKey: message.blobKey, problem: error.problem },
    'the bytes of a message are damaged',
  )
  return new StoreRefusal('no_such_blob', 'the bytes of this message are damaged', error)
}
