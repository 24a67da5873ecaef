import { Readable } from 'node:stream'
import {
  decodeStructure,
  decodeTransfer,
  findPart,
  isIdentity,
  type MimeStructure,
  type Part,
} from '../../formats/mime/mime.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import {
  type ByteWindow,
  findUpload,
  getWholeMessages,
  type MessageBytes,
  parseMessageAsync,
  readBlob,
  readBytes,
  streamBytes,
} from '../../store/store.ts'
import type { JmapCall, JmapParts } from './method.ts'
import { findScriptBlob } from './sieve/script-blobs.ts'

/**
 * Blob IDs: `m` and a message, or `u` and an upload; `p` and `q` are their parts, with `_` for the dots of a part ID (`-`
 * leads into a part that is a message itself). `s` is a Sieve script.
 */
const BLOB_ID = /^([mupq])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?:-[1-9]\d{0,4}(?:_[1-9]\d{0,4}){0,49}){0,5})$/

export type JmapBlob = {
  size: number
  /** SHA-256 of the bytes in hex, where it is known without reading them. */
  sha256: string | null
  /** All of it, or from the first byte to before the last one. */
  bytes(window?: ByteWindow): Promise<Buffer>
  stream(): Readable
  /** The storage key of the bytes, when they are stored unchanged: they can then be linked without reading them. */
  stored: { key: string; size: number } | null
}

export const messageBlobId = (messageId: string): string => `m${messageId}`
export const uploadBlobId = (uploadId: string): string => `u${uploadId}`

/** The blob of a part (`1.2`) of the message that is the blob. */
export const partBlobId = (blobId: string, partId: string): string => {
  const kind = blobId.startsWith('m') ? 'p' : blobId.startsWith('u') ? 'q' : blobId.slice(0, 1)
  return `${kind}${blobId.slice(1)}-${partId.replaceAll('.', '_')}`
}

/** Whether it is of a part, which is decoded in memory. */
export const isPartBlobId = (blobId: string): boolean => blobId.startsWith('p') || blobId.startsWith('q')

/** The message that a blob id is of; null for uploads and for what is no blob id. */
export const messageIdOfBlob = (blobId: string): string | null => {
  const [, kind, id] = BLOB_ID.exec(blobId) ?? []
  return id !== undefined && (kind === 'm' || kind === 'p') ? id : null
}

/** A message whose parts are looked at. */
export type OpenedMessage = { key: string | null; message: Base | null }

/** The caller; `budget` and `opened` are there for requests that may ask for many. */
type Asker = Pick<JmapCall, 'parts'> &
  Partial<Pick<JmapCall, 'opened'> & { budget: Pick<JmapCall['budget'], 'spend' | 'room'> }>

/** Bytes by their id, as this account has them; null for what it does not have. */
export const findBlob = async (asker: Asker, access: MailboxAccess, blobId: string): Promise<JmapBlob | null> => {
  if (blobId.startsWith('s')) return findScriptBlob(asker.parts, access, blobId)
  const [, kind, id, path = ''] = BLOB_ID.exec(blobId) ?? []
  if (kind === undefined || id === undefined) return null
  const isPart = kind === 'p' || kind === 'q'
  if (isPart !== path.length > 0) return null
  const find = kind === 'm' || kind === 'p' ? findMessage : findUploaded
  if (!isPart) return (await find(asker, access, id))?.blob ?? null
  const sections = path
    .slice(1)
    .split('-')
    .map((section) => section.split('_').map(Number))
  const message = await openMessage(asker, `${access.addressId} ${kind}${id}`, sections.slice(0, -1), () =>
    find(asker, access, id),
  )
  const part = message && findPart(await message.structure(), sections.at(-1) ?? [])
  return part ? memoryBlob(part.decodedSize, () => contentOf(message, part)) : null
}

type Base = {
  blob: JmapBlob
  /** The MIME structure of the stored bytes, without the prefix. */
  structure(): Promise<MimeStructure>
  /** A range of the stored bytes. */
  window(window: ByteWindow): Promise<Buffer>
}

/** The message that a part is of: the stored one, or one that is itself a part, found in the decoded bytes of that. */
const openMessage = async (
  { opened, budget }: Asker,
  stored: string,
  sections: readonly number[][],
  find: () => Promise<Base | null>,
): Promise<Base | null> => {
  const key = `${stored} ${sections.join('-')}`
  if (opened?.key === key) return opened.message
  let message = await find()
  for (const section of sections) message = message && (await openPart(message, section, budget))
  if (opened) Object.assign(opened, { key, message })
  return message
}

const openPart = async (outer: Base, section: readonly number[], budget: Asker['budget']): Promise<Base | null> => {
  const part = findPart(await outer.structure(), section)
  if (!part) return null
  budget?.spend(part.decodedSize)
  await budget?.room(part.end - part.bodyStart + part.decodedSize)
  const bytes = await contentOf(outer, part)
  return {
    blob: memoryBlob(bytes.length, async () => bytes),
    structure: once(() => parseMessageAsync(bytes)),
    window: async ({ start, end }) => bytes.subarray(start, end),
  }
}

const findMessage = async ({ parts, budget }: Asker, access: MailboxAccess, id: string): Promise<Base | null> => {
  const { database, blobs, log } = parts
  const [message] = await getWholeMessages(database.db, access.addressId, [id])
  // Marked \Deleted everywhere: not visible (RFC 8621 §4.1.1).
  if (!message || message.folderIds.length === 0) return null
  return {
    blob: messageBlob({ blobs, log }, message),
    structure: once(async () => {
      const known = decodeStructure(message.structure)
      if (known) return known
      budget?.spend(message.size)
      await budget?.room(message.size)
      return parseMessageAsync(await readBlob(blobs, message, { log }))
    }),
    window: (window) => readBlob(blobs, message, { window, log }),
  }
}

/** All bytes of a stored message. */
const messageBlob = ({ blobs, log }: Pick<JmapParts, 'blobs' | 'log'>, message: MessageBytes): JmapBlob => {
  const isPlain = message.prefix.length === 0
  return {
    size: message.size,
    sha256: isPlain ? message.blobKey : null,
    stored: isPlain ? { key: message.blobKey, size: message.size } : null,
    bytes: (window) => readBytes(blobs, message, { ...(window && { window }), log }),
    stream: () => streamBytes(blobs, message, log),
  }
}

const findUploaded = async ({ parts, budget }: Asker, access: MailboxAccess, id: string): Promise<Base | null> => {
  const { database, blobs, clock, log } = parts
  const upload = await findUpload(database.db, { ownerId: access.addressId, refId: id, now: clock.now() })
  if (!upload) return null
  const blob = messageBlob({ blobs, log }, { id, blobKey: upload.key, prefix: Buffer.alloc(0), size: upload.size })
  return {
    blob,
    structure: once(async () => {
      budget?.spend(upload.size)
      await budget?.room(upload.size)
      return parseMessageAsync(await blob.bytes())
    }),
    window: (window) => blob.bytes(window),
  }
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | undefined
  return () => {
    known ??= work()
    return known
  }
}

const contentOf = async (base: Base, part: Part): Promise<Buffer> => {
  const body = await base.window({ start: part.bodyStart, end: part.end })
  return isIdentity(part.encoding) ? body : decodeTransfer(body, part.encoding)
}

const memoryBlob = (size: number, read: () => Promise<Buffer>): JmapBlob => ({
  size,
  sha256: null,
  stored: null,
  bytes: async (window) => (window ? (await read()).subarray(window.start, window.end) : read()),
  stream: () => Readable.from(oneChunk(read), { objectMode: false }),
})

async function* oneChunk(read: () => Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await read()
}
