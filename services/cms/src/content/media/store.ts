import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Blobs, blobPath } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { openObjectBlobs } from '@stoa/kit/blobs/s3.ts'
import { onDisk, removeLeftovers } from '@stoa/kit/blobs/spool.ts'
import { createSemaphore, type Semaphore } from '@stoa/kit/semaphore.ts'
import type { Config } from '../../config.ts'
import type { StoredRendition } from './queries.ts'
import type { VideoFacts } from './video-facts.ts'

/** What the service's objects start with, in a bucket that others may share. */
const OBJECT_PREFIX = 'cms/media'
/** Pictures are worked on by several threads each; more at once would only take longer, and more memory. */
const PARALLEL_PICTURES = 2
const WAITING_PICTURES = 64

/** Where the bytes of files are, and the places for work on pictures in this process. */
export type MediaStore = {
  /** Opened on first use: most processes and tests never need it. */
  blobs(): Promise<Blobs>
  /** Where unfinished uploads wait; made if need be. */
  temporaryFolder(): Promise<string>
  /** Removes what uploads of processes that have ended left. */
  tidy(): Promise<void>
  /** Where browsers read this blob without the service; null when they cannot. */
  publicUrlOf(key: string): string | null
  readonly slots: Semaphore
  /** Renditions that are being made at this moment. */
  readonly making: Map<string, Promise<StoredRendition>>
  /** Facts read from videos, by the hash of their content. */
  readonly videoFacts: Map<string, VideoFacts>
  close(): Promise<void>
}

declare module '../../context.ts' {
  interface Ports {
    readonly media: MediaStore
  }
}

export const openMediaStore = ({ storage }: Pick<Config, 'storage'>): MediaStore => {
  const temporary = storage.driver === 'local' ? join(storage.folder, 'tmp') : storage.temporaryFolder
  let opened: Promise<Blobs> | undefined
  const open = () =>
    storage.driver === 'local'
      ? openLocalBlobs(storage.folder)
      : openObjectBlobs({ ...storage, prefix: OBJECT_PREFIX, temporaryFolder: temporary })

  return {
    blobs() {
      opened ??= open().catch((error: unknown) => {
        // The disk may be back at the next request.
        opened = undefined
        throw error
      })
      return opened
    },
    async temporaryFolder() {
      await onDisk(() => mkdir(temporary, { recursive: true, mode: 0o700 }))
      return temporary
    },
    async tidy() {
      if (existsSync(temporary)) await removeLeftovers(temporary)
    },
    publicUrlOf: (key) =>
      storage.driver === 'object' && storage.publicUrl !== null
        ? `${storage.publicUrl}/${OBJECT_PREFIX}/${blobPath(key)}`
        : null,
    slots: createSemaphore({ parallel: PARALLEL_PICTURES, waiting: WAITING_PICTURES }),
    making: new Map(),
    videoFacts: new Map(),
    async close() {
      await (await opened)?.close()
    },
  }
}
