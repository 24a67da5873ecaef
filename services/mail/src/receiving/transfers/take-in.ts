import type { Tx } from '@stoa/kit/db/database.ts'
import { quotaOf } from '../../hosting/plans/plans.ts'
import {
  addMessage,
  type Duplicate,
  findDuplicates,
  type ReadMessage,
  setDeleted,
  setFolders,
} from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import type { SourceMessage } from './copy-folder.ts'
import type { TransferRun } from './run.ts'

/** The folder that gets the messages of one source folder. */
export type TargetFolder = {
  folderId: string
  /** Only what is in no other folder goes there. */
  isRest: boolean
  /** Messages that were created after this modseq came with this transfer. */
  firstModseq: number
}

/** A message whose bytes are safe. */
export type Prepared = SourceMessage & {
  blob: { key: string; size: number }
  read: ReadMessage
  /** When it was received. */
  at: Date
}

/** Whether a message needs not be copied: it was here before, or it is in its folder already. */
export const isHere = (target: TargetFolder, duplicates: readonly Duplicate[]): boolean =>
  duplicates.some((duplicate) => duplicate.createdModseq <= target.firstModseq || isIn(duplicate, target.folderId))

/** Puts messages into the mailbox, each once. Gives how many were copied; the others are there already. */
export const takeIn = async (
  tx: Tx<Tables>,
  run: TransferRun,
  target: TargetFolder,
  messages: readonly Prepared[],
): Promise<{ copied: number; bytes: number }> => {
  const taken = { copied: 0, bytes: 0 }
  if (messages.length === 0) return taken
  const { addressId } = run.claim
  const duplicates = await findDuplicates(tx, addressId, messages.map(questionOf))
  const quotaBytes = await quotaOf(tx, addressId)
  const seen = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const key = identityOf(message)
    const isTwice = seen.has(key)
    seen.add(key)
    if (isTwice || !(await takeInOne(tx, run, target, { message, duplicates: duplicates[index] ?? [], quotaBytes })))
      continue
    taken.copied += 1
    taken.bytes += message.blob.size
  }
  return taken
}

const questionOf = ({ read, blob, at }: Prepared) => ({
  headerId: read.envelope.messageId[0] ?? null,
  blobKey: blob.key,
  size: blob.size,
  receivedAt: at,
})

/** Recognizes duplicates within one batch. */
const identityOf = ({ read, blob, at }: Prepared): string =>
  [read.envelope.messageId[0] ?? blob.key, blob.size, at.getTime()].join(' ')

type Arrival = { message: Prepared; duplicates: readonly Duplicate[]; quotaBytes: number | null }

/** False when it is here already. */
const takeInOne = async (
  tx: Tx<Tables>,
  { claim, parts }: TransferRun,
  target: TargetFolder,
  { message, duplicates, quotaBytes }: Arrival,
): Promise<boolean> => {
  const { addressId } = claim
  const { folderId, isRest } = target
  const now = parts.clock.now()
  if (isHere(target, duplicates)) return false
  // It is in several folders of the source, and shall be one message here too.
  const duplicate = duplicates.find(({ folderIds }) => folderIds.length > 0)
  if (duplicate && isRest) return false
  if (duplicate && !message.isDeleted) {
    const items = [{ messageId: duplicate.messageId, folderIds: [...duplicate.folderIds, folderId] }]
    await setFolders(tx, { addressId, items, now })
    return true
  }
  const { blob, read, keywords, at } = message
  const { uids } = await addMessage(tx, {
    addressId,
    blob,
    prefix: Buffer.alloc(0),
    read,
    folderIds: [folderId],
    keywords,
    receivedAt: at,
    now,
    quotaBytes,
  })
  if (message.isDeleted)
    await setDeleted(tx, { addressId, folderId, uids: uids.map(({ uid }) => uid), deleted: true, now })
  return true
}

const isIn = ({ folderIds, deletedIn }: Duplicate, folderId: string): boolean =>
  folderIds.includes(folderId) || deletedIn.includes(folderId)
