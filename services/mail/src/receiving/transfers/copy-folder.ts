import type { Tx } from '@stoa/kit/db/database.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { FetchMessageObject } from 'imapflow'
import { parseMessageIds } from '../../formats/mime/mime.ts'
import { ensureFolderPath, findDuplicates, folderByRole, isKeyword, MAX_KEYWORDS } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import {
  addToBatch,
  type Batch,
  closeExpected,
  expectUids,
  finishBatch,
  leaveOut,
  openBatch,
  passKnown,
  saveBatch,
} from './batch.ts'
import { isRefusedCommand, LOST, MALFORMED, problemOf, TransferProblem } from './problems.ts'
import { beginFolder, type FolderProgress, finishFolder } from './progress-queries.ts'
import type { TransferRun } from './run.ts'

/** Messages that the source is asked about at once. */
const CHUNK = 200
const DAY_MS = 86_400_000
/** Larger ones are in memory one at a time. */
const SMALL_BYTES = 2 ** 20
/** Limits how many large messages are in memory at once, over all transfers. */
const inMemory = createSemaphore({ parallel: 2, waiting: 1_000 })

/** Copies what is left of one folder. */
export const copyFolder = async (run: TransferRun, folder: FolderProgress, firstModseq: number): Promise<void> => {
  const { claim } = run
  const box = await openFolder(run, folder)
  if (!box) return
  const uidValidity = Number(box.uidValidity ?? 0)
  const lastUid = folder.uidValidity === uidValidity ? folder.lastUid : 0
  const uids = box.exists === 0 ? [] : await findUids(run, lastUid)
  const folderId = await run.write(async (tx) => {
    await beginFolder(tx, { id: claim.id, folder, uidValidity, ...(lastUid === 0 && { messages: uids.length }) })
    return ensureTarget(tx, claim.addressId, folder)
  })
  const batch = openBatch(run, folder.ordinal, { folderId, firstModseq, isRest: folder.isRest })
  for (let at = 0; at < uids.length; at += CHUNK) {
    const chunk = uids.slice(at, at + CHUNK)
    expectUids(batch, chunk)
    await copyChunk(run, batch, chunk).catch((error: unknown) => breakOff(run, batch, error))
    await closeExpected(batch)
  }
  await finishBatch(batch)
  await run.write((tx) => finishFolder(tx, { id: claim.id, ordinal: folder.ordinal }))
}

const breakOff = async ({ signal }: TransferRun, batch: Batch, error: unknown): Promise<never> => {
  // The batch is saved only after a temporary problem: saving would repeat an error that writing threw.
  const problem = problemOf(error)
  if (!signal.aborted && problem?.isTemporary) await saveBatch(batch)
  throw error
}

/**
 * Opens it for reading. One that is gone or closed to us is passed over, and its messages have failed: at least one,
 * since a server that does not open it may not count it either, and nobody shall read that all of their mail is here.
 */
const openFolder = async (run: TransferRun, folder: FolderProgress) => {
  try {
    return await run.client.mailboxOpen(folder.path, { readOnly: true })
  } catch (error) {
    if (!isRefusedCommand(error)) throw error
    const { id } = run.claim
    await run.write((tx) => finishFolder(tx, { id, ordinal: folder.ordinal, failed: Math.max(1, folder.messages) }))
    return null
  }
}

/** Finds the target folder by role or name; creates it if it does not exist. */
const ensureTarget = async (
  tx: Tx<Tables>,
  addressId: string,
  { role, targetPath }: Pick<FolderProgress, 'role' | 'targetPath'>,
): Promise<string> => {
  const found = role === null ? null : await folderByRole(tx, addressId, role)
  return (found ?? (await ensureFolderPath(tx, addressId, targetPath))).id
}

/** UIDs above the last one that is done, in order. */
const findUids = async ({ client, claim }: TransferRun, lastUid: number): Promise<number[]> => {
  // The source counts in days of its own zone.
  const since = claim.since === null ? {} : { since: new Date(claim.since.getTime() - DAY_MS) }
  const found = await client.search({ uid: `${lastUid + 1}:*`, ...since }, { uid: true })
  if (!found) throw new TransferProblem(client.isClosed ? LOST : MALFORMED, { isTemporary: true })
  return found.filter((uid) => uid > lastUid)
}

/** What is known about a message before its bytes are fetched. */
export type SourceMessage = {
  uid: number
  size: number
  headerId: string | null
  receivedAt: Date | null
  keywords: string[]
  isDeleted: boolean
}

const copyChunk = async (run: TransferRun, batch: Batch, uids: readonly number[]): Promise<void> => {
  const { parts, claim } = run
  const messages = await readMessages(run, uids)
  const wanted = messages.filter((message) => {
    const isOld = claim.since !== null && message.receivedAt !== null && message.receivedAt < claim.since
    const isLarge = message.size > parts.config.maxMessageBytes
    if (isOld) leaveOut(batch, message.uid, 'unwanted')
    else if (isLarge) leaveOut(batch, message.uid, 'failed')
    return !isOld && !isLarge
  })
  // Messages that exist here already are not fetched.
  const duplicates = await findDuplicates(
    parts.database.db,
    claim.addressId,
    wanted.map(({ headerId, size, receivedAt }) => ({
      headerId,
      blobKey: null,
      size,
      receivedAt: receivedAt ?? NEVER,
    })),
  )
  const missing = wanted.filter((message, index) => !passKnown(batch, message, duplicates[index] ?? []))
  await fetchSources(run, batch, missing)
  // Messages that are missing count as gone only if the connection survived.
  if (run.client.isClosed) throw new TransferProblem(LOST, { isTemporary: true })
}

/** No message has this date. */
const NEVER = new Date(0)

const readMessages = async ({ client, parts }: TransferRun, uids: readonly number[]): Promise<SourceMessage[]> => {
  const query = { uid: true, flags: true, internalDate: true, size: true, envelope: true }
  const wanted = new Set(uids)
  const found = await client.fetchAll(uids.join(','), query, { uid: true })
  const byUid = new Map(found.filter(({ uid }) => wanted.has(uid)).map((message) => [message.uid, message]))
  const now = parts.clock.now()
  return [...byUid.values()].map((message) => toSourceMessage(message, now)).sort((a, b) => a.uid - b.uid)
}

const toSourceMessage = ({ uid, size, envelope, flags, internalDate }: FetchMessageObject, now: Date) => ({
  uid,
  size: size ?? 0,
  headerId: parseMessageIds(envelope?.messageId ?? '')?.[0] ?? null,
  receivedAt: internalDate instanceof Date && isPlausible(internalDate, now) ? internalDate : null,
  ...keepFlags(flags ?? []),
})

const isPlausible = (date: Date, now: Date): boolean =>
  date.getTime() > NEVER.getTime() && date.getTime() < now.getTime() + DAY_MS

/** Fetches the bytes of messages: small ones together, large ones one by one. */
const fetchSources = async (run: TransferRun, batch: Batch, messages: readonly SourceMessage[]): Promise<void> => {
  const { maxMessageBytes } = run.parts.config
  const limit = Math.min(SMALL_BYTES, maxMessageBytes)
  const small = messages.filter(({ size }) => size <= limit)
  if (small.length > 0) await fetchTogether(run, batch, small, limit)
  // Also those that turned out to be larger than they said.
  const large = new Set(messages.filter(({ size }) => size > limit).map(({ uid }) => uid))
  for (const message of messages)
    if (batch.open.has(message.uid) && (large.has(message.uid) || batch.longer.has(message.uid)))
      await inMemory.run(() => fetchAlone(run, batch, message, maxMessageBytes))
}

/** Fetches messages together, or one by one if the source refuses that. */
const fetchTogether = async (
  run: TransferRun,
  batch: Batch,
  messages: readonly SourceMessage[],
  limit: number,
): Promise<void> => {
  try {
    await fetchInto(run, batch, messages, limit)
  } catch (error) {
    if (!isRefusedCommand(error)) throw error
    for (const message of messages.filter(({ uid }) => batch.open.has(uid)))
      await fetchAlone(run, batch, message, limit)
  }
}

const fetchAlone = async (run: TransferRun, batch: Batch, message: SourceMessage, limit: number): Promise<void> => {
  try {
    await fetchInto(run, batch, [message], limit)
  } catch (error) {
    if (!isRefusedCommand(error)) throw error
    leaveOut(batch, message.uid, 'failed')
  }
}

const fetchInto = async (
  { client, parts }: TransferRun,
  batch: Batch,
  messages: readonly SourceMessage[],
  limit: number,
): Promise<void> => {
  const byUid = new Map(messages.map((message) => [message.uid, message]))
  // One byte more than allowed shows that it is too large, whatever size the source reported.
  const query = { uid: true, source: { start: 0, maxLength: limit + 1 } }
  for await (const { uid, source } of client.fetch([...byUid.keys()].join(','), query, { uid: true })) {
    const message = byUid.get(uid)
    if (!message || !batch.open.has(uid)) continue
    if (source && source.length > limit && limit < parts.config.maxMessageBytes) batch.longer.add(uid)
    else if (!source || source.length === 0 || source.length > limit) leaveOut(batch, uid, 'failed')
    else await addToBatch(batch, message, source)
  }
}

/** Flags of a message as the store knows them. */
type KeptFlags = { keywords: string[]; isDeleted: boolean }

const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['\\seen', '$seen'],
  ['\\answered', '$answered'],
  ['\\flagged', '$flagged'],
  ['\\draft', '$draft'],
])

/** Keeps all flags that can be kept. \Recent and what servers invented is theirs. */
export const keepFlags = (flags: Iterable<string>): KeptFlags => {
  const lower = [...new Set([...flags].map((flag) => flag.toLowerCase()))]
  const keywords = lower.flatMap((flag) => {
    if (flag.startsWith('\\')) return SYSTEM.get(flag) ?? []
    return isKeyword(flag) ? flag : []
  })
  return { keywords: [...new Set(keywords)].slice(0, MAX_KEYWORDS), isDeleted: lower.includes('\\deleted') }
}
