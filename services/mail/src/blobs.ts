import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { openObjectBlobs } from '@stoa/kit/blobs/object.ts'
import type { Storage } from './config/storage.ts'

/** Opens the place where messages are kept. */
export const openBlobs = (storage: Storage): Promise<Blobs> =>
  storage.driver === 'local' ? openLocalBlobs(storage.folder) : openObjectBlobs(storage)
