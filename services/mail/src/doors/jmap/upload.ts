import { discardBody } from '@stoa/kit/http/discard-body.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import { linkUpload, putMessage, refuse, StoreRefusal, uploadedBytes } from '../../store/store.ts'
import { uploadBlobId } from './blobs.ts'
import type { Args, JmapParts } from './method.ts'
import { failLimit, ProblemError } from './problems.ts'

/** Uploads of a mailbox that are not yet part of a message, as so many of the largest ones. */
const TEMPORARY_UPLOADS = 10

export type KeptUpload = { blobId: string; size: number }

/** Keeps stored bytes as an upload of the account for a day; `over_quota` when it has too many. */
export const keepUpload = async (
  { database, clock, config }: JmapParts,
  access: MailboxAccess,
  blob: { key: string; size: number },
): Promise<KeptUpload> => {
  const refId = newId()
  const maxBytes = TEMPORARY_UPLOADS * config.maxMessageBytes
  await database.tx((tx) => linkUpload(tx, { ownerId: access.addressId, refId, blob, maxBytes, now: clock.now() }))
  return { blobId: uploadBlobId(refId), size: blob.size }
}

/** `over_quota` if so many bytes will not be kept. Asked before they are stored: the disk has them for a day otherwise. */
export const checkUploadRoom = async (
  { database, clock, config }: JmapParts,
  access: MailboxAccess,
  size: number,
): Promise<void> => {
  const used = await uploadedBytes(database.db, { ownerId: access.addressId, now: clock.now() })
  if (used + size > TEMPORARY_UPLOADS * config.maxMessageBytes) refuse('over_quota', TOO_MANY)
}

const TOO_MANY = 'Too many unused uploads. Use them or try again tomorrow.'

/** Takes the body of a request as it comes (RFC 8620 §6.1). */
export const receiveUpload = async (parts: JmapParts, access: MailboxAccess, incoming: Incoming): Promise<Args> => {
  const maxBytes = parts.config.maxMessageBytes
  try {
    const declared = Number(incoming.header('content-length') ?? 0)
    if (declared > maxBytes) return failTooLarge(maxBytes)
    // Without a length it may be as long as any.
    await checkUploadRoom(parts, access, declared || maxBytes)
    const blob = await putMessage(parts.blobs, incoming.raw, { maxBytes })
    const { blobId, size } = await keepUpload(parts, access, blob)
    return { accountId: access.addressId, blobId, type: typeOf(incoming), size }
  } catch (error) {
    discardBody(incoming.raw, maxBytes)
    if (error instanceof StoreRefusal && error.kind === 'too_large') return failTooLarge(maxBytes)
    if (error instanceof StoreRefusal && error.kind === 'over_quota')
      throw new ProblemError({
        type: 'about:blank',
        status: 413,
        detail: TOO_MANY,
      })
    throw error
  }
}

const failTooLarge = (maxBytes: number): never =>
  failLimit('maxSizeUpload', `An upload can have up to ${maxBytes} bytes.`, 413)

/** The type that the client sent, unchanged: it gets the same one back. */
const typeOf = (incoming: Incoming): string => incoming.header('content-type')?.trim() || 'application/octet-stream'
