import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rmdir, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobSource } from '../blobs/blobs.ts'
import { listObjects } from '../blobs/list-objects.ts'
import { createPublish } from '../blobs/publish.ts'
import { createS3Client } from '../blobs/s3-client.ts'
import { diskFault, hasCode, onDisk, removeFile, removeLeftovers, spool } from '../blobs/spool.ts'
import type { ObjectStore } from '../config/object-store.ts'
import { BackupError } from './errors.ts'

/** Where the backups of one service are: files by name, below a folder or in a bucket. */
export type Destination = {
  /** The destination as the operator wrote it. */
  readonly label: string
  /** Durable when it resolves, and there as a whole or not at all. */
  put(name: string, source: BlobSource): Promise<StoredFile>
  /** Null when there is no such file. */
  get(name: string): Promise<Readable | null>
  has(name: string): Promise<boolean>
  /** Names that start with the prefix, which ends with a slash. */
  list(prefix: string): AsyncIterable<string>
  delete(name: string): Promise<void>
  close(): Promise<void>
}

/** `sha256` is the hash of the bytes as stored. */
export type StoredFile = { size: number; sha256: string }

export type DestinationOptions = {
  /** A folder, or `s3://bucket/prefix`. */
  to: string
  service: string
  /** How to reach an object store, for `s3://` only. The bucket is that of `to`. */
  objectStore: Omit<ObjectStore, 'bucket'> | null
}

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_.-]+)*)\/?$/

export const openDestination = async ({ to, service, objectStore }: DestinationOptions): Promise<Destination> => {
  if (!to.startsWith('s3:')) return openFolder(join(resolve(to), service), to)
  const [, bucket, path] = S3_URL.exec(to) ?? []
  if (bucket === undefined || path === undefined)
    throw new BackupError(`Enter a folder, or a bucket like s3://bucket/prefix, instead of "${to}".`)
  if (!objectStore)
    throw new BackupError('Set OBJECT_ENDPOINT, OBJECT_ACCESS_KEY and OBJECT_SECRET_KEY to use a bucket.')
  return openBucket(
    { ...objectStore, bucket },
    { prefix: `${path.slice(1)}/${service}/`.replace(/^\//, ''), label: to },
  )
}

/** S3's limit for one object; no part of a backup comes near. */
const MAX_BYTES = 5 * 2 ** 30
const TEMPORARY = 'tmp'

const openFolder = async (root: string, label: string): Promise<Destination> => {
  const temporary = join(root, TEMPORARY)
  const publish = createPublish(root)
  const prepare = async (): Promise<void> => {
    await onDisk(() => mkdir(temporary, { recursive: true, mode: 0o700 }))
    await removeLeftovers(temporary)
  }
  let prepared: Promise<void> | undefined
  return {
    label,
    async put(name, source) {
      prepared ??= prepare()
      await prepared
      const { file, size, sha256 } = await spool(source, temporary, { maxBytes: MAX_BYTES, sync: true })
      try {
        await onDisk(() => publish(file, name))
      } catch (error) {
        await removeFile(file)
        throw error
      }
      return { size, sha256 }
    },
    async get(name) {
      try {
        return (await open(join(root, name), 'r')).createReadStream()
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return null
        throw diskFault(error)
      }
    },
    async has(name) {
      try {
        return (await stat(join(root, name))).isFile()
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return false
        throw diskFault(error)
      }
    },
    list: (prefix) => listFiles(root, prefix),
    async delete(name) {
      await removeFile(join(root, name))
      await removeEmptyFolders(root, dirname(name))
    },
    close: async () => undefined,
  }
}

/** A folder for each old backup would stay otherwise; those at the top are always needed. One with files is refused. */
const removeEmptyFolders = async (root: string, folder: string): Promise<void> => {
  for (let path = folder; dirname(path) !== '.'; path = dirname(path)) {
    const isRemoved = await rmdir(join(root, path)).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

async function* listFiles(root: string, prefix: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(join(root, prefix))) {
    const name = prefix + entry.name
    if (entry.isDirectory()) yield* listFiles(root, `${name}/`)
    else yield name
  }
}

const entriesOf = async (folder: string) => {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw diskFault(error)
  }
}

const openBucket = async (
  store: ObjectStore,
  { prefix, label }: { prefix: string; label: string },
): Promise<Destination> => {
  const client = createS3Client(store)
  const temporary = join(tmpdir(), `stoa-backup-${userInfo().uid}`)
  await onDisk(() => mkdir(temporary, { recursive: true, mode: 0o700 }))
  await removeLeftovers(temporary)
  return {
    label,
    async put(name, source) {
      const { file, size, sha256 } = await spool(source, temporary, { maxBytes: MAX_BYTES, sync: false })
      try {
        const body = { open: () => createReadStream(file), size, sha256 }
        await (await client.send({ method: 'PUT', object: prefix + name, body, expect: [200] })).discard()
      } finally {
        await removeFile(file)
      }
      return { size, sha256 }
    },
    async get(name) {
      const response = await client.send({ method: 'GET', object: prefix + name, expect: [200, 404] })
      if (response.status === 200) return response.body
      await response.discard()
      return null
    },
    async has(name) {
      const response = await client.send({ method: 'HEAD', object: prefix + name, expect: [200, 404] })
      await response.discard()
      return response.status === 200
    },
    async *list(part) {
      for await (const { object } of listObjects(client, prefix + part)) yield object.slice(prefix.length)
    },
    async delete(name) {
      const response = await client.send({ method: 'DELETE', object: prefix + name, expect: [200, 204, 404] })
      await response.discard()
    },
    close: () => client.close(),
  }
}
