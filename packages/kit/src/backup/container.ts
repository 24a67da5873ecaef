import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress, zstdCompress } from 'node:zlib'
import type { BlobSource } from '../blobs/blobs.ts'
import { chain } from '../blobs/verify.ts'
import { BackupError } from './errors.ts'
import type { Protection } from './protection.ts'

/** A file of a backup: its name inside of the destination, which is part of what is authenticated. */
export type FileContext = { name: string; protection: Protection | null }

/**
 * The form of every file of a backup: `STOABK1`, a byte that says whether it is encrypted, and the content compressed with
 * zstd. An encrypted file has a salt of its own, which its key is derived with, and then frames of AES-256-GCM:
 * length, ciphertext, tag. The nonce is the number of the frame and whether it is the last one, so that frames can neither
 * be left out nor moved, and the end can't be cut.
 */
const MAGIC = Buffer.from('STOABK1')
const PLAIN = 0
const ENCRYPTED = 1
const SALT_BYTES = 16
const FRAME_BYTES = 64 * 1024
const TAG_BYTES = 16
const LENGTH_BYTES = 4
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

const compressAtOnce = promisify(zstdCompress)

/** Compresses the content, and encrypts it if backups here are. */
export async function* encodeFile(source: BlobSource, context: FileContext): AsyncGenerator<Buffer> {
  const compressed =
    source instanceof Uint8Array
      ? [await compressAtOnce(source, COMPRESSION)]
      : chain(Readable.from(source, { objectMode: false }), createZstdCompress(COMPRESSION), (error) => error)
  if (!context.protection) {
    yield Buffer.concat([MAGIC, Buffer.from([PLAIN])])
    yield* compressed
    return
  }
  const salt = randomBytes(SALT_BYTES)
  const key = context.protection.fileKey(context.name, salt)
  yield Buffer.concat([MAGIC, Buffer.from([ENCRYPTED]), salt])
  let number = 0
  for await (const { bytes, isLast } of frames(compressed)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
    const body = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(body.length)
    yield Buffer.concat([length, body])
    number += 1
  }
}

/** The content of a stored file. Throws BackupError where it is damaged, cut or of another passphrase. */
export async function* decodeFile(stored: AsyncIterable<Buffer>, context: FileContext): AsyncGenerator<Buffer> {
  const reader = createReader(stored)
  try {
    const body = Readable.from(compressedOf(reader, context), { objectMode: false })
    yield* chain(body, createZstdDecompress(), (error) => error)
  } catch (error) {
    if (error instanceof BackupError) throw error
    if (isDecompressionError(error)) throw damaged(context, error)
    throw error
  } finally {
    await reader.close()
  }
}

async function* compressedOf(reader: Reader, context: FileContext): AsyncGenerator<Buffer> {
  const header = await reader.take(MAGIC.length + 1)
  if (!header?.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(context)
  if (header.at(-1) === PLAIN && !context.protection) return yield* reader.rest()
  if (header.at(-1) !== ENCRYPTED || !context.protection) throw damaged(context)
  const salt = await reader.take(SALT_BYTES)
  if (!salt) throw damaged(context)
  const key = context.protection.fileKey(context.name, salt)
  for (let number = 0, isLast = false; !isLast; number += 1) {
    const length = (await reader.take(LENGTH_BYTES))?.readUInt32BE() ?? 0
    if (length < TAG_BYTES || length > FRAME_BYTES + TAG_BYTES) throw damaged(context)
    const frame = await reader.take(length)
    if (!frame) throw damaged(context)
    isLast = await reader.isAtEnd()
    yield decrypt(frame, { key, nonce: nonceOf(number, isLast), context })
  }
}

const decrypt = (frame: Buffer, { key, nonce, context }: { key: Buffer; nonce: Buffer; context: FileContext }) => {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(frame.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(frame.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw damaged(context, error)
  }
}

const damaged = ({ name }: FileContext, cause?: unknown): BackupError =>
  new BackupError(`${name} is damaged or cut.`, cause)

const isDecompressionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ZSTD_|Z_|ERR_ZSTD|ERR_ZLIB)/.test(String(error.code))

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 4)
  nonce.writeUInt32BE(isLast ? 1 : 0, 8)
  return nonce
}

/** Cuts into frames; there is always a last one, if need be an empty one. */
async function* frames(source: AsyncIterable<Buffer> | Iterable<Buffer>) {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length > FRAME_BYTES) {
      yield { bytes: held.subarray(0, FRAME_BYTES), isLast: false }
      held = held.subarray(FRAME_BYTES)
    }
  }
  yield { bytes: held, isLast: true }
}

type Reader = {
  /** Reads exactly this many bytes; null if fewer are left. */
  take(bytes: number): Promise<Buffer | null>
  isAtEnd(): Promise<boolean>
  rest(): AsyncGenerator<Buffer>
  close(): Promise<unknown>
}

const createReader = (stored: AsyncIterable<Buffer>): Reader => {
  const chunks = stored[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const fill = async (bytes: number): Promise<boolean> => {
    const parts = [held]
    let length = held.length
    while (length < bytes) {
      const { done, value } = await chunks.next()
      if (done) break
      parts.push(value)
      length += value.length
    }
    if (parts.length > 1) held = Buffer.concat(parts)
    return held.length >= bytes
  }
  return {
    async take(bytes) {
      if (!(await fill(bytes))) return null
      const taken = held.subarray(0, bytes)
      held = held.subarray(bytes)
      return taken
    },
    isAtEnd: async () => !(await fill(1)),
    close: async () => chunks.return?.(),
    async *rest() {
      if (held.length > 0) yield held
      held = Buffer.alloc(0)
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    },
  }
}
