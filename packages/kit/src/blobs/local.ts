import { type FileHandle, mkdir, open, readdir, rename, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { BlobError, type BlobInfo, type Blobs, blobPath, isBlobKey, resolveRange } from './blobs.ts'
import { diskFault, hasCode, onDisk, removeFile, removeLeftovers, spool } from './spool.ts'
import { sweepBlobs } from './sweep.ts'
import { verified, verifyBytes } from './verify.ts'

/**
 * Blobs as files of one folder, `ab/cd/abcd…`. Several processes may share it. A blob appears by an atomic rename of a
 * file that is complete and on the disk; the folders are synced too, so that a power cut cannot lose it.
 */
export const openLocalBlobs = async (folder: string): Promise<Blobs> => {
  const root = resolve(folder)
  const temporary = join(root, 'tmp')
  await onDisk(() => mkdir(temporary, { recursive: true, mode: 0o700 }))
  const pathOf = (key: string): string => join(root, blobPath(key))
  const publish = createPublish(root)

  const head = async (key: string): Promise<BlobInfo | null> => {
    const found = await statFile(pathOf(key))
    return found && { key, ...found }
  }

  return {
    put: async (source, options) => {
      const { file, ...stored } = await spool(source, temporary, { ...options, sync: true })
      try {
        await onDisk(() => publish(file, stored.key))
      } catch (error) {
        await removeFile(file)
        throw error
      }
      return stored
    },
    get: async (key, { range } = {}) => {
      const handle = await openFile(pathOf(key), key)
      try {
        const { size } = await handle.stat()
        const bytes = resolveRange(range, size)
        if (!range && size <= AT_ONCE_BYTES) return { stream: readAtOnce(handle, size, key), size, range: bytes }
        const stream: Readable = handle.createReadStream(bytes ?? { start: 0, end: 0 })
        return { stream: range ? stream : verified(stream, key, diskFault), size, range: bytes }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    head,
    delete: async (key) => removeFile(pathOf(key)),
    list: () => listFiles(root),
    sweep: async (options) => {
      await putAsideBack(temporary, publish)
      const abandoned = await removeLeftovers(temporary)
      const swept = await sweepBlobs(listFiles(root), options, (key) =>
        removeIfOld({ key, file: pathOf(key), aside: join(temporary, ASIDE + key) }, options.olderThan, publish),
      )
      return { ...swept, temporary: abandoned }
    },
    close: async () => undefined,
  }
}

/** Smaller blobs are one piece: streams that read and hash them take longer than both. */
const AT_ONCE_BYTES = 65_536

const readAtOnce = (handle: FileHandle, size: number, key: string): Readable =>
  new Readable({
    async read() {
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, 0)
        const bytes = buffer.subarray(0, bytesRead)
        verifyBytes(bytes, key)
        this.push(bytes)
        this.push(null)
      } catch (error) {
        this.destroy(error instanceof BlobError ? error : diskFault(error))
      }
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (closing: unknown) => done(error ?? diskFault(closing)),
      )
    },
  })

type Publish = (file: string, key: string) => Promise<void>

/** Gives a complete file its final name, so that both outlive a power cut. */
const createPublish = (root: string): Publish => {
  const makeLasting = createLasting(root)
  return async (file, key) => {
    const target = join(root, blobPath(key))
    const folder = dirname(target)
    try {
      await rename(file, target)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(file, target)
    }
    await Promise.all([syncFolder(folder), makeLasting(key)])
  }
}

/**
 * The name of a folder lives in the one above it. Another process may have made it a moment ago without having synced it yet, so
 * this process does that once, for all names that are there by then.
 */
const createLasting = (root: string): ((key: string) => Promise<void>) => {
  const outer = new Uint8Array(2 ** 8)
  const inner = new Uint8Array(2 ** 16)
  const sync = async (folder: string, mark: (name: string) => void): Promise<void> => {
    const names = await namesIn(folder, /^[0-9a-f]{2}$/)
    await syncFolder(folder)
    for (const name of names) mark(name)
  }
  const at = (hex: string): number => Number.parseInt(hex, 16)
  return async (key) => {
    if (inner[at(key.slice(0, 4))]) return
    const first = key.slice(0, 2)
    if (!outer[at(first)])
      await sync(root, (name) => {
        outer[at(name)] = 1
      })
    await sync(join(root, first), (name) => {
      inner[at(first + name)] = 1
    })
  }
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const openFile = async (file: string, key: string) => {
  try {
    return await open(file, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new BlobError('missing', `blob ${key} is not there`)
    throw diskFault(error)
  }
}

const statFile = async (file: string): Promise<{ size: number; modifiedAt: Date } | null> => {
  try {
    const { size, mtime } = await stat(file)
    return { size, modifiedAt: mtime }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

const namesIn = async (folder: string, pattern: RegExp): Promise<string[]> => {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name)).sort()
  } catch (error) {
    // Another process may have removed it since we saw its name.
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function* listFiles(root: string): AsyncGenerator<BlobInfo> {
  for (const first of await namesIn(root, /^[0-9a-f]{2}$/)) {
    for (const second of await namesIn(join(root, first), /^[0-9a-f]{2}$/)) {
      const folder = join(root, first, second)
      for (const key of (await namesIn(folder, /./)).filter(isBlobKey)) {
        const found = await statFile(join(folder, key))
        if (found) yield { key, ...found }
      }
    }
  }
}

type Candidate = { key: string; file: string; aside: string }

// Taken away first and looked at then: a blob that was stored again in the meantime is young, and goes back.
const removeIfOld = async ({ key, file, aside }: Candidate, olderThan: Date, publish: Publish): Promise<boolean> => {
  try {
    await rename(file, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
  const found = await statFile(aside)
  if (found && found.modifiedAt >= olderThan) {
    await publish(aside, key)
    return false
  }
  await removeFile(aside)
  return found !== null
}

const ASIDE = 'removing-'
const ASIDE_NAME = /^removing-[0-9a-f]{64}$/

const putAsideBack = async (temporary: string, publish: Publish): Promise<void> => {
  for (const name of await namesIn(temporary, ASIDE_NAME)) {
    await putBack(join(temporary, name), name.slice(ASIDE.length), publish)
  }
}

// A sweep died while it looked at this blob. It goes back as a young one, and a later sweep decides.
const putBack = async (aside: string, key: string, publish: Publish): Promise<void> => {
  const now = new Date()
  try {
    await utimes(aside, now, now)
    await publish(aside, key)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
