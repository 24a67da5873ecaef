import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Blobs, blobPath } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { type ObjectStoreOptions, openObjectBlobs } from '@stoa/kit/blobs/s3.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type FakeS3, startFakeS3 } from './fake-s3.ts'

/** A blob store in a temporary place, with a look behind it. */
export type BlobBench = {
  blobs: Blobs
  /** Replaces the stored bytes behind the driver's back. */
  damage(key: string, change: (bytes: Buffer) => Buffer): void
  /** Makes a blob look as if it had been stored then. */
  age(key: string, to: Date): void
  /** Names of files that uploads have left. */
  leftovers(): string[]
  temporaryFolder: string
  close(): Promise<void>
}

/** The local driver on a temporary folder. */
export const openLocalBench = async (): Promise<BlobBench> => {
  const root = mkdtempSync(join(tmpdir(), 'stoa-blobs-'))
  const file = (key: string) => join(root, blobPath(key))
  return {
    blobs: await openLocalBlobs(root),
    damage: (key, change) => writeFileSync(file(key), change(readFileSync(file(key)))),
    age: (key, to) => utimesSync(file(key), to, to),
    leftovers: () => readdirSync(join(root, 'tmp')),
    temporaryFolder: join(root, 'tmp'),
    close: async () => rmSync(root, { recursive: true }),
  }
}

export type ObjectBench = BlobBench & { s3: FakeS3; options: ObjectStoreOptions }

/** The object driver on a fake S3 with short listing pages and quick retries. */
export const openObjectBench = async (): Promise<ObjectBench> => {
  const s3 = await startFakeS3({ pageSize: 3 })
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'stoa-blobs-'))
  const options = {
    endpoint: s3.endpoint,
    bucket: s3.bucket,
    region: s3.region,
    accessKey: s3.accessKey,
    secretKey: new Secret(s3.secretKey),
    prefix: 'service/blobs',
    temporaryFolder,
    retryMs: 1,
  }
  const blobs = await openObjectBlobs(options)
  const object = (key: string) => {
    const found = s3.objects.get(`${options.prefix}/${blobPath(key)}`)
    if (!found) throw new Error(`blob ${key} is not in the fake S3`)
    return found
  }
  return {
    blobs,
    s3,
    options,
    damage: (key, change) => {
      object(key).bytes = change(object(key).bytes)
    },
    age: (key, to) => {
      object(key).modifiedAt = to
    },
    leftovers: () => readdirSync(temporaryFolder),
    temporaryFolder,
    close: async () => {
      await blobs.close()
      await s3.close()
      rmSync(temporaryFolder, { recursive: true })
    },
  }
}

/** The whole content of a blob, or of a part. */
export const readBlob = async (blobs: Blobs, key: string, range?: { start: number; end?: number }): Promise<Buffer> => {
  const { stream } = await blobs.get(key, range ? { range } : {})
  return Buffer.concat(await stream.toArray())
}

export const keysOf = async (blobs: Blobs): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of blobs.list()) keys.push(key)
  return keys
}

/** Bytes as a stream of pieces. */
export async function* inPieces(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
