import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { putMessage } from '../../../store/store.ts'
import { findBlob } from '../blobs.ts'
import { MAX_DATA_SOURCES, MAX_OBJECTS_IN_SET } from '../limits.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { checkNames, isRecord, isUnsignedInt, readRecords } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { emptyOutcome, shownOutcome, tryOne } from '../standard/set.ts'
import { checkUploadRoom, keepUpload } from '../upload.ts'

/** RFC 9404 §4.1. */
export const blobUpload: JmapMethod = {
  name: 'Blob/upload',
  capability: CAPABILITIES.blob,
  async run(call, args) {
    const access = await call.account(args, 'write')
    checkNames(args, ['create'])
    const create = readRecords(args, 'create')
    if (create.length > MAX_OBJECTS_IN_SET)
      return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_SET} at once.`)
    const outcome = emptyOutcome()
    for (const [creationId, object] of create)
      await tryOne(outcome.notCreated, creationId, async () => {
        const { id, type, size } = await upload(call, access, object)
        outcome.created[creationId] = { id, type, size }
        call.createdIds.set(creationId, id)
      })
    const { created, notCreated } = shownOutcome(outcome)
    return { accountId: access.addressId, created, notCreated }
  },
}

const upload = async (call: JmapCall, access: MailboxAccess, object: Args) => {
  const { data, type = null, ...more } = object
  if (Object.keys(more).length > 0) return failProperties(Object.keys(more), 'Unknown properties.')
  if (type !== null && typeof type !== 'string') return failProperties(['type'], 'Must be a string.')
  if (!Array.isArray(data) || data.length === 0) return failProperties(['data'], 'Must be a list of sources.')
  if (data.length > MAX_DATA_SOURCES) return failSet('tooLarge', `At most ${MAX_DATA_SOURCES} sources.`)
  const maxBytes = call.parts.config.maxMessageBytes
  const pieces: Buffer[] = []
  let size = 0
  for (const source of data) {
    const piece = await readSource(call, access, source, maxBytes - size)
    size += piece.length
    pieces.push(piece)
  }
  await checkUploadRoom(call.parts, access, size)
  const blob = await putMessage(call.parts.blobs, Buffer.concat(pieces), { maxBytes })
  const { blobId } = await keepUpload(call.parts, access, blob)
  return { id: blobId, type, size }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** One of the three kinds of source; `room` is what the blob may still grow by. */
const readSource = async (call: JmapCall, access: MailboxAccess, source: unknown, room: number): Promise<Buffer> => {
  if (!isRecord(source)) return failProperties(['data'], 'A source must be an object.')
  const text = source['data:asText'] ?? null
  const base64 = source['data:asBase64'] ?? null
  const { blobId = null } = source
  if ([text, base64, blobId].filter((each) => each !== null).length !== 1)
    return failProperties(['data'], 'A source must have data:asText, data:asBase64 or a blobId.')
  if (typeof blobId === 'string') return readBlobSource(call, access, { ...source, blobId }, room)
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : decodeBase64(base64)
  return bytes.length > room ? failTooLarge() : bytes
}

const decodeBase64 = (value: unknown): Buffer => {
  if (typeof value !== 'string' || value.length % 4 !== 0 || !BASE64.test(value))
    return failProperties(['data'], 'A source has invalid base64.')
  return Buffer.from(value, 'base64')
}

const readBlobSource = async (
  call: JmapCall,
  access: MailboxAccess,
  { blobId, offset = null, length = null }: Args & { blobId: string },
  room: number,
): Promise<Buffer> => {
  const areGood = (offset === null || isUnsignedInt(offset)) && (length === null || isUnsignedInt(length))
  if (!areGood) return failProperties(['data'], 'Offset and length must be non-negative integers.')
  const blob = await findBlob(call, access, realId(call, blobId))
  if (!blob) return failSet('blobNotFound', 'A source does not exist.', { notFound: [blobId] })
  const start = offset ?? 0
  const end = length === null ? blob.size : start + length
  if (start > blob.size || end > blob.size) return failProperties(['data'], 'The range is longer than the source.')
  return end - start > room ? failTooLarge() : blob.bytes({ start, end })
}

const failTooLarge = (): never => failSet('tooLarge', 'The blob is too large.')
