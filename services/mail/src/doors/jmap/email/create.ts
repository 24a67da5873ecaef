import { quotaOf } from '../../../hosting/plans/plans.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { addMessage, putMessage, readMessageAsync, StoreRefusal } from '../../../store/store.ts'
import { findBlob, type JmapBlob, messageBlobId } from '../blobs.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { type BlobReader, composeMessage } from './compose.ts'
import { readDraft } from './draft.ts'
import type { DraftPart } from './draft-parts.ts'
import { type Filing, NO_MAILBOX } from './filing.ts'
import { checkFits } from './fits.ts'

/** What is returned of a message that a client created (RFC 8621 §4.6). */
export type CreatedEmail = { id: string; blobId: string; threadId: string; size: number }

/** Writes a message from an Email object and puts it into its mailboxes. */
export const createEmail = async (call: JmapCall, access: MailboxAccess, object: Args): Promise<CreatedEmail> => {
  const { parts } = call
  const now = parts.clock.now()
  const draft = readDraft(call, object, { domain: access.email.split('@').at(-1) ?? parts.hosting.hostname, now })
  const readBlob = await openBlobs(call, access, draft.body)
  const bytes = await composeMessage(draft.fields, draft.body, readBlob)
  await checkFits(call, access, { folderIds: draft.folderIds, size: bytes.length })
  const blob = await putMessage(parts.blobs, bytes, { maxBytes: parts.config.maxMessageBytes })
  return fileMessage(call, access, { blob, bytes, filing: draft })
}

/** Puts stored bytes into the mailboxes that a client chose. The bytes must not be used afterwards. */
export const fileMessage = async (
  { parts }: Pick<JmapCall, 'parts'>,
  { addressId, viewerId }: MailboxAccess,
  { blob, bytes, filing }: { blob: { key: string; size: number }; bytes: Buffer; filing: Filing },
): Promise<CreatedEmail> => {
  const read = await readMessageAsync(bytes)
  const { messageId, threadId } = await parts.database
    .tx(async (tx) =>
      addMessage(tx, {
        addressId,
        viewerId,
        blob,
        prefix: Buffer.alloc(0),
        read,
        ...filing,
        now: parts.clock.now(),
        quotaBytes: await quotaOf(tx, addressId),
      }),
    )
    .catch(refuseMailbox)
  return { id: messageId, blobId: messageBlobId(messageId), threadId, size: blob.size }
}

/** A folder that is not there is a wrong property of the message, not a missing message. */
export const refuseMailbox = (error: unknown): never => {
  if (error instanceof StoreRefusal && error.kind === 'no_such_folder')
    return failProperties(['mailboxIds'], NO_MAILBOX)
  throw error
}

/** All blobs of a message, or `blobNotFound` with those that are not there; too large ones are refused before they are read. */
const openBlobs = async (call: JmapCall, access: MailboxAccess, body: DraftPart): Promise<BlobReader> => {
  const blobs = new Map<string, JmapBlob>()
  const notFound: string[] = []
  let size = 0
  for (const blobId of blobIdsOf(body)) {
    const blob = blobs.get(blobId) ?? (await findBlob(call, access, blobId))
    if (blob) blobs.set(blobId, blob)
    else if (!notFound.includes(blobId)) notFound.push(blobId)
    size += blob?.size ?? 0
  }
  if (notFound.length > 0) return failSet('blobNotFound', 'Some blobs do not exist.', { notFound })
  const { maxMessageBytes } = call.parts.config
  if (size > maxMessageBytes) return failSet('tooLarge', `A message can have up to ${maxMessageBytes} bytes.`)
  call.budget.spend(size)
  await call.budget.room(size)
  return async (blobId) => {
    const bytes = await blobs.get(blobId)?.bytes().catch(asMissing)
    return bytes ?? failSet('blobNotFound', 'A blob is damaged.', { notFound: [blobId] })
  }
}

const asMissing = (error: unknown): null => {
  if (error instanceof StoreRefusal && error.kind === 'no_such_blob') return null
  throw error
}

const blobIdsOf = ({ content }: DraftPart): string[] => {
  if (content.kind === 'parts') return content.parts.flatMap(blobIdsOf)
  return content.kind === 'blob' ? [content.blobId] : []
}
