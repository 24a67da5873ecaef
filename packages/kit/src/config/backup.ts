import type { ConfigOf } from '../config.ts'
import type { Secret } from '../secret.ts'
import { integer, secret, text } from './kinds.ts'
import { type ObjectStore, type objectStoreVariables, readObjectStore } from './object-store.ts'

/** What services and commands ask for that back up. */
export const backupVariables = {
  BACKUP_TO: text({
    defaultText: 'no automatic backups',
    doc: 'Where to back up automatically: a folder, or a bucket like s3://bucket/prefix at OBJECT_ENDPOINT. Use a place of its own for each instance.',
  }),
  BACKUP_EVERY: integer({ min: 1, max: 720 })({ default: '24', doc: 'Hours between two automatic backups.' }),
  BACKUP_KEEP: integer({ min: 1, max: 1_000 })({
    default: '7',
    doc: 'How many automatic backups to keep in BACKUP_TO. Older ones are removed.',
  }),
  BACKUP_PASSPHRASE: secret({
    doc: 'Encrypts backups. Keep it somewhere else, too: without it, a backup is worthless.',
  }),
}

/** How backups are made by themselves. */
export type BackupSettings = {
  /** Null: they aren't. */
  readonly to: string | null
  readonly everyHours: number
  readonly keep: number
  readonly passphrase: Secret | null
  readonly objectStore: () => Omit<ObjectStore, 'bucket'>
}

export const readBackupSettings = (
  values: ConfigOf<typeof backupVariables> & ConfigOf<typeof objectStoreVariables>,
): BackupSettings => {
  // The bucket is named by the destination.
  const objectStore = (): ObjectStore => readObjectStore({ ...values, OBJECT_BUCKET: values.OBJECT_BUCKET ?? 'unused' })
  if (values.BACKUP_TO?.startsWith('s3:')) objectStore()
  return {
    to: values.BACKUP_TO ?? null,
    everyHours: values.BACKUP_EVERY,
    keep: values.BACKUP_KEEP,
    passphrase: values.BACKUP_PASSPHRASE ?? null,
    objectStore,
  }
}
