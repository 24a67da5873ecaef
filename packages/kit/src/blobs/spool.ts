import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Fault, fault } from '../errors.ts'
import { newId } from '../ids.ts'
import { BlobError, type BlobSource, type PutOptions, type StoredBlob } from './blobs.ts'

/** Content on its way into the store: in a temporary file, hashed and counted. */
export type Spooled = StoredBlob & { file: string }

/**
 * Writes a source into a new file of the folder while hashing and counting it. Whatever goes wrong (limit, broken source,
 * full disk, other hash than asked) leaves no file. With `sync` the bytes are on the disk before it resolves.
 */
export const spool = async (
  source: BlobSource,
  folder: string,
  options: PutOptions & { sync: boolean },
): Promise<Spooled> => {
  expectErrors(source)
  const file = join(folder, temporaryName())
  const handle = await onDisk(() => open(file, 'wx', 0o600))
  try {
    const written = await copy(source, handle, options.maxBytes).finally(() => settle(handle, options.sync))
    if (options.key !== undefined && options.key !== written.key) {
      throw new BlobError('corrupt', 'the content does not have the key that was asked for')
    }
    return { ...written, file }
  } catch (error) {
    await removeFile(file)
    throw error
  }
}

/** Removes a file; one that is not there is fine. */
export const removeFile = async (file: string): Promise<void> => {
  try {
    await unlink(file)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw diskFault(error)
  }
}

/** Runs file work and turns its failures (disk full, read-only, gone) into `unavailable`. */
export const onDisk = async <R>(work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    throw diskFault(error)
  }
}

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Removes what interrupted uploads left in the folder: of a process that has ended, or of no use any more. */
export const removeLeftovers = async (folder: string): Promise<number> => {
  let removed = 0
  for (const name of (await readdir(folder)).filter((each) => TEMPORARY.test(each))) {
    const file = join(folder, name)
    if (!isAbandoned(name) && !(await isStale(file))) continue
    await removeFile(file)
    removed += 1
  }
  return removed
}

// A living upload touches its file at each piece; the slowest request ends long before this.
const TEMPORARY_LIFE_MS = 3_600_000

const isStale = async (file: string): Promise<boolean> => {
  try {
    return (await stat(file)).mtimeMs < Date.now() - TEMPORARY_LIFE_MS
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

const isAbandoned = (name: string): boolean => {
  const [, host, pidText] = TEMPORARY.exec(name) ?? []
  if (host !== machine || pidText === undefined) return false
  try {
    process.kill(Number(pidText), 0)
    return false
  } catch (error) {
    return hasCode(error, 'ESRCH')
  }
}

// A full disk is freed by a person or a sweep, not in a second.
const RETRY_AFTER_SECONDS = 30

/** A failure of the disk as the kit reports it. */
export const diskFault = (error: unknown): Fault =>
  fault('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }, error)

const machine = hostname().replace(/[^A-Za-z0-9-]/g, '-')
const TEMPORARY = /^([A-Za-z0-9-]+)~(\d+)~[0-9a-f-]{36}$/
const temporaryName = (): string => `${machine}~${process.pid}~${newId()}`

const copy = async (source: BlobSource, handle: FileHandle, maxBytes: number): Promise<StoredBlob> => {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of pieces(source)) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a blob is made of bytes, not of text')
    size += chunk.byteLength
    if (size > maxBytes) throw fault('too_large', { limit: maxBytes })
    hash.update(chunk)
    await onDisk(() => writeAll(handle, chunk))
  }
  const sha256 = hash.digest('hex')
  return { key: sha256, size, sha256 }
}

// A stream may fail before its reading starts; without a listener that would end the process. The reading sees the error.
const expectErrors = (source: BlobSource): void => {
  if (source instanceof Readable) source.on('error', () => undefined)
}

// Leaving the loop early destroys a stream; an HTTP request must still be answered, so it is left to the server.
const pieces = (source: BlobSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => {
  if (source instanceof Uint8Array) return [source]
  return source instanceof IncomingMessage ? source.iterator({ destroyOnReturn: false }) : source
}

const writeAll = async (handle: FileHandle, chunk: Uint8Array): Promise<void> => {
  let offset = 0
  while (offset < chunk.byteLength) {
    const { bytesWritten } = await handle.write(chunk, offset)
    offset += bytesWritten
  }
}

const settle = async (handle: FileHandle, sync: boolean): Promise<void> => {
  try {
    if (sync) await onDisk(() => handle.sync())
  } finally {
    await handle.close()
  }
}
