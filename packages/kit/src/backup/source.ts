import type { Blobs } from '../blobs/blobs.ts'
import { subKey } from '../crypto/seal.ts'
import type { Secret } from '../secret.ts'

/** What of a service is backed up, and where it is restored to. */
export type BackupSource = {
  service: string
  databaseUrl: string
  blobs(): Promise<Blobs>
  /** Tables whose column `blob_key` names the blobs that the service needs. */
  blobTables: readonly string[]
  /** The instance's SECRET, which stored credentials are sealed with. */
  secret: Secret
}

/** Distinguishes one SECRET from another. */
export const secretIdOf = (secret: Secret): string =>
  subKey(secret, 'backup-secret-id').toString('base64url').slice(0, 12)

/** Shows progress to a person who waits. */
export type Report = (line: string) => void
