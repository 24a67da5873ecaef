import { type Duplicate, putMessage, readMessageAsync, StoreRefusal } from '../../store/store.ts'
import type { SourceMessage } from './copy-folder.ts'
import { addProgress, type Counted } from './progress-queries.ts'
import type { TransferRun } from './run.ts'
import { isHere, type Prepared, type TargetFolder, takeIn } from './take-in.ts'

/** Messages of one folder that are written together with how far the folder is. */
export type Batch = {
  readonly run: TransferRun
  readonly ordinal: number
  readonly target: TargetFolder
  /** UIDs that nothing is known of yet. */
  readonly open: Set<number>
  /** UIDs of messages that are larger than the source said. */
  readonly longer: Set<number>
  preparing: Promise<Prepared>[]
  /** The write of the previous batch; the next messages are fetched meanwhile. */
  writing: Promise<void>
  bytes: number
  counted: Counted
  lastUid: number
}

/** Small enough that others who write to the mailbox do not wait long, large enough that a commit is worth it. */
const MAX_MESSAGES = 50
const MAX_BYTES = 8 * 2 ** 20

export const openBatch = (run: TransferRun, ordinal: number, target: TargetFolder): Batch => ({
  run,
  ordinal,
  target,
  open: new Set(),
  longer: new Set(),
  preparing: [],
  writing: Promise.resolve(),
  bytes: 0,
  counted: nothing(),
  lastUid: 0,
})

/** Messages that will be reported, in the order of their UIDs. */
export const expectUids = (batch: Batch, uids: readonly number[]): void => {
  for (const uid of uids) batch.open.add(uid)
  batch.lastUid = uids.at(-1) ?? batch.lastUid
}

/** Counts a message that is not copied: `unwanted` is not among those that were asked for. */
export const leaveOut = (batch: Batch, uid: number, why: 'unwanted' | 'failed'): void => {
  if (batch.open.delete(uid)) batch.counted[why] += 1
}

/** Passes over a message that is here already; true when it is. */
export const passKnown = (batch: Batch, { uid }: SourceMessage, duplicates: readonly Duplicate[]): boolean => {
  const isKnown = isHere(batch.target, duplicates)
  if (isKnown && batch.open.delete(uid)) batch.counted.skipped += 1
  return isKnown
}

/** Adds a message. Waits while enough of them are written. */
export const addToBatch = async (batch: Batch, message: SourceMessage, bytes: Buffer): Promise<void> => {
  batch.open.delete(message.uid)
  batch.bytes += bytes.length
  const preparing = prepare(batch.run, message, bytes)
  // The code that awaits all of them gets the error.
  preparing.catch(() => undefined)
  batch.preparing.push(preparing)
  if (batch.preparing.length >= MAX_MESSAGES || batch.bytes >= MAX_BYTES) await flush(batch)
}

/** All that were expected have been seen. Messages that the source did not give any more are gone from it. */
export const closeExpected = async (batch: Batch): Promise<void> => {
  batch.counted.skipped += batch.open.size
  batch.open.clear()
  batch.longer.clear()
  await flush(batch)
}

/** Waits until everything is written. */
export const finishBatch = (batch: Batch): Promise<void> => batch.writing

/** Writes what was fetched before the source broke off, so that each connection gets somewhere. */
export const saveBatch = async (batch: Batch): Promise<void> => {
  if (batch.preparing.length > 0) await flush(batch)
  await batch.writing
}

const nothing = (): Counted => ({ copied: 0, skipped: 0, failed: 0, bytes: 0, unwanted: 0 })

const flush = async (batch: Batch): Promise<void> => {
  const { run, counted } = batch
  const messages = await Promise.all(batch.preparing)
  await run.pace({ messages: messages.length, bytes: batch.bytes }, run.signal)
  const uid = doneUid(batch)
  Object.assign(batch, { preparing: [], bytes: 0, counted: nothing() })
  // One after the other: what is written is always done up to some UID.
  await batch.writing
  batch.writing = writeAll(batch, messages, counted, uid)
  // The next caller that awaits it gets the error.
  batch.writing.catch(() => undefined)
}

const writeAll = async (
  batch: Batch,
  messages: readonly Prepared[],
  counted: Counted,
  lastUid: number,
): Promise<void> => {
  try {
    await write(batch, messages, counted, lastUid)
  } catch (error) {
    if (!isOverQuota(error) || messages.length < 2) throw error
    // The batch exceeds the quota: single messages are written for as long as there is room.
    await write(batch, [], counted, 0)
    for (const message of messages) await write(batch, [message], nothing(), Math.min(message.uid, lastUid))
  }
}

/** Everything up to here is behind us once the batch is written. */
const doneUid = ({ open, lastUid }: Batch): number => {
  let lowest = lastUid + 1
  for (const uid of open) lowest = Math.min(lowest, uid)
  return lowest - 1
}

const write = (batch: Batch, messages: readonly Prepared[], before: Counted, lastUid: number): Promise<void> => {
  const { run, ordinal, target } = batch
  return run.write(async (tx) => {
    const { copied, bytes } = await takeIn(tx, run, target, messages)
    const counted = { ...before, copied, bytes, skipped: before.skipped + messages.length - copied }
    await addProgress(tx, { id: run.claim.id, ordinal, lastUid, counted })
  })
}

const isOverQuota = (error: unknown): boolean => error instanceof StoreRefusal && error.kind === 'over_quota'

const prepare = async ({ parts }: TransferRun, message: SourceMessage, bytes: Buffer): Promise<Prepared> => {
  const blob = await putMessage(parts.blobs, bytes, { maxBytes: parts.config.maxMessageBytes })
  const read = await readMessageAsync(bytes)
  return { ...message, blob, read, at: message.receivedAt ?? read.sentAt ?? parts.clock.now() }
}
