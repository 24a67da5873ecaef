import type { BackupSource } from '@stoa/kit/backup/source.ts'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { openObjectBlobs } from '@stoa/kit/blobs/s3.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Storage } from './config/storage.ts'

/** Opens the place where messages are kept. */
export const openBlobs = (storage: Storage): Promise<Blobs> =>
  storage.driver === 'local' ? openLocalBlobs(storage.folder) : openObjectBlobs(storage)

/** What is backed up. A blob is kept for as long as it has a link, so the links name all that there are. */
export const backupSource = (
  { databaseUrl, secret }: { databaseUrl: Secret; secret: Secret },
  blobs: () => Promise<Blobs>,
): BackupSource => ({
  service: 'mail',
  databaseUrl: databaseUrl.reveal(),
  blobs,
  blobTables: ['blob_link'],
  secret,
})
