import type { BackupSource } from '@stoa/kit/backup/source.ts'
import type { Config } from '../../config.ts'
import { BLOB_TABLES } from './queries.ts'
import type { MediaStore } from './store.ts'

/** What is backed up: the database, and the files that its rows name. */
export const backupSource = (
  { databaseUrl, secret }: Pick<Config, 'databaseUrl' | 'secret'>,
  { blobs }: Pick<MediaStore, 'blobs'>,
): BackupSource => ({ service: 'cms', databaseUrl: databaseUrl.reveal(), blobs, blobTables: BLOB_TABLES, secret })
