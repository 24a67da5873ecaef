import type { Tx } from '@stoa/kit/db/database.ts'
import { quotaOf } from '../../hosting/plans/plans.ts'
import { addMessage, findTwins, type ReadMessage, setDeleted, setFolders, type Twin } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import type { SourceMessage } from './copy-folder.ts'
import type { Run } from './run.ts'

/** Where messages of one folder of the source go. */
export type Target = {
  folderId: string
  /** Only what is in no other folder goes there. */
  isRest: boolean
  /** What is newer in the mailbox came with this transfer. */
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
export const isHere = (target: Target, twins: readonly Twin[]): boolean =>
  twins.some((twin) => twin.createdModseq <= target.firstModseq || isIn(twin, target.folderId))

/** Puts messages into the mailbox, each once. Gives how many were copied; the others are there already. */
export const takeIn = async (
  tx: Tx<Tables>,
  run: Run,
  target: Target,
  messages: readonly Prepared[],
): Promise<{ copied: number; bytes: number }> => {
  const taken = { copied: 0, bytes: 0 }
  if (messages.length === 0) return taken
  const { addressId } = run.claim
  const twins = await findTwins(tx, addressId, messages.map(questionOf))
  const quotaBytes = await quotaOf(tx, addressId)
  const seen = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const key = identityOf(message)
    const isTwice = seen.has(key)
    seen.add(key)
    if (isTwice || !(await takeInOne(tx, run, target, { message, twins: twins[index] ?? [], quotaBytes }))) continue
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

/** The same within one batch. */
const identityOf = ({ read, blob, at }: Prepared): string =>
  [read.envelope.messageId[0] ?? blob.key, blob.size, at.getTime()].join(' ')

type Arrival = { message: Prepared; twins: readonly Twin[]; quotaBytes: number | null }

/** False when it is here already. */
const takeInOne = async (
  tx: Tx<Tables>,
  { claim, parts }: Run,
  target: Target,
  { message, twins, quotaBytes }: Arrival,
): Promise<boolean> => {
  const { addressId } = claim
  const { folderId, isRest } = target
  const now = parts.clock.now()
  if (isHere(target, twins)) return false
  // It is in several folders of the source, and shall be one message here too.
  const twin = twins.find(({ folderIds }) => folderIds.length > 0)
  if (twin && isRest) return false
  if (twin && !message.isDeleted) {
    const items = [{ messageId: twin.messageId, folderIds: [...twin.folderIds, folderId] }]
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

const isIn = ({ folderIds, deletedIn }: Twin, folderId: string): boolean =>
  folderIds.includes(folderId) || deletedIn.includes(folderId)
