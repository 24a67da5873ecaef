import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import type { Secret } from '../secret.ts'
import {
  BlobError,
  type BlobInfo,
  type BlobRange,
  type BlobRead,
  type Blobs,
  blobPath,
  isBlobKey,
  resolveRange,
} from './blobs.ts'
import { listObjects } from './list-objects.ts'
import { createS3Client, type S3Client, type S3Response, unavailable } from './s3-client.ts'
import { onDisk, removeFile, removeLeftovers, spool } from './spool.ts'
import { sweepBlobs } from './sweep.ts'
import { createSweepMarks } from './sweep-marks.ts'
import { chain, verified } from './verify.ts'

export type ObjectStoreOptions = {
  /** Of any S3-compatible store, such as `https://s3.eu-central-1.amazonaws.com`; path style is used. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: Secret
  /** What the keys of this service start with inside the bucket, such as `mail`. */
  prefix: string
  /** Uploads wait here until their hash and length are known. */
  temporaryFolder: string
  /** First pause before a retry; doubles each time. */
  retryMs?: number
}

// S3's limit for one PUT. Nothing the services store comes near, so there are no multi-part uploads.
const MAX_OBJECT_BYTES = 5 * 2 ** 30
const TIDY_MS = 3_600_000

/** Blobs as objects of a bucket, `prefix/ab/cd/abcd…`. A put is durable when the store has answered it. */
export const openObjectBlobs = async (options: ObjectStoreOptions): Promise<Blobs> => {
  if (!/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/.test(options.prefix)) throw new TypeError('not a usable object prefix')
  await onDisk(() => mkdir(options.temporaryFolder, { recursive: true, mode: 0o700 }))
  const tidy = () => onDisk(() => removeLeftovers(options.temporaryFolder))
  // The folder is the machine's own, and a sweep runs on one machine.
  await tidy()
  const tidying = setInterval(() => tidy().catch(() => undefined), TIDY_MS).unref()
  const client = createS3Client(options)
  const objectOf = (key: string): string => `${options.prefix}/${blobPath(key)}`
  const marks = createSweepMarks(client, options.prefix, (prefix) => listObjects(client, prefix))

  const head = async (key: string): Promise<BlobInfo | null> => {
    const response = await client.send({ method: 'HEAD', object: objectOf(key), expect: [200, 404] })
    await response.discard()
    return response.status === 404 ? null : { key, size: sizeOf(response), modifiedAt: modifiedAtOf(response) }
  }
  const remove = async (key: string): Promise<void> => {
    const response = await client.send({ method: 'DELETE', object: objectOf(key), expect: [200, 204, 404] })
    await response.discard()
  }

  return {
    put: async (source, { maxBytes, ...rest }) => {
      const limit = Math.min(maxBytes, MAX_OBJECT_BYTES)
      const { file, ...stored } = await spool(source, options.temporaryFolder, {
        ...rest,
        maxBytes: limit,
        sync: false,
      })
      try {
        const body = { open: () => createReadStream(file), size: stored.size, sha256: stored.sha256 }
        const headers: Record<string, string> = rest.contentType ? { 'content-type': rest.contentType } : {}
        const object = objectOf(stored.key)
        for (let isThere = false; !isThere; ) {
          const response = await client.send({ method: 'PUT', object, headers, body, expect: [200] })
          await response.discard()
          await marks.none(stored.key)
          // Gone if a sweep found the old one before this put, and deleted it afterwards.
          isThere = (await head(stored.key)) !== null
        }
      } finally {
        await removeFile(file)
      }
      return stored
    },
    get: async (key, { range } = {}) =>
      range ? getRange(client, objectOf(key), key, range) : getAll(client, objectOf(key), key),
    head,
    delete: remove,
    list: () => listBlobs(client, options.prefix),
    sweep: async (sweep) => {
      const removeIfOld = (key: string): Promise<boolean> =>
        marks.during(key, async (mayDelete) => {
          const found = await head(key)
          if (!found || found.modifiedAt >= sweep.olderThan || !mayDelete()) return false
          await remove(key)
          return true
        })
      await marks.clean()
      const temporary = await tidy()
      return { ...(await sweepBlobs(listBlobs(client, options.prefix), sweep, removeIfOld)), temporary }
    },
    close: () => {
      clearInterval(tidying)
      return client.close()
    },
  }
}

const getAll = async (client: S3Client, object: string, key: string): Promise<BlobRead> => {
  const response = await client.send({ method: 'GET', object, expect: [200, 404] })
  if (response.status === 404) throw missing(key)
  const size = sizeOf(response)
  return { stream: verified(response.body, key, unavailable), size, range: resolveRange(undefined, size) }
}

const getRange = async (client: S3Client, object: string, key: string, range: BlobRange): Promise<BlobRead> => {
  // Checked against an endless blob first: a store would read `5-2` or `-1-` in its own way.
  resolveRange(range, Number.MAX_SAFE_INTEGER)
  const headers = { range: `bytes=${range.start}-${range.end ?? ''}` }
  const response = await client.send({ method: 'GET', object, headers, expect: [206, 404, 416] })
  if (response.status === 404) throw missing(key)
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.header('content-range') ?? '') ?? []
  if (response.status === 416 || start === undefined) {
    await response.discard()
    throw new BlobError('bad_range', 'the range is outside of the blob')
  }
  const stream = chain(response.body, new PassThrough(), unavailable)
  return { stream, size: Number(total), range: { start: Number(start), end: Number(end) } }
}

const missing = (key: string): BlobError => new BlobError('missing', `blob ${key} is not there`)

const sizeOf = (response: S3Response): number => {
  const text = response.header('content-length') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  response.body.destroy()
  throw new BlobError('refused', 'object store sends no content-length')
}

const modifiedAtOf = (response: S3Response): Date => new Date(response.header('last-modified') ?? 0)

async function* listBlobs(client: S3Client, prefix: string): AsyncGenerator<BlobInfo> {
  for await (const { object, size, modifiedAt } of listObjects(client, `${prefix}/`)) {
    const key = object.slice(object.lastIndexOf('/') + 1)
    if (isBlobKey(key) && object === `${prefix}/${blobPath(key)}`) yield { key, size, modifiedAt }
  }
}
