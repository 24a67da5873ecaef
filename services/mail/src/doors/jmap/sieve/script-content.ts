import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { MAX_SCRIPT_BYTES, refuseScript } from '../../../receiving/filters/filters.ts'
import { findBlob } from '../blobs.ts'
import type { JmapCall } from '../method.ts'
import { failSet } from '../set-error.ts'

/** The bytes of a script that a client names by a blob. */
export const readScriptBlob = async (call: JmapCall, access: MailboxAccess, blobId: string): Promise<Buffer> => {
  const blob = await findBlob(call, access, blobId)
  if (!blob) return failSet('blobNotFound', 'The blob does not exist.', { notFound: [blobId] })
  if (blob.size > MAX_SCRIPT_BYTES) refuseScript('too_large', `A script can have up to ${MAX_SCRIPT_BYTES} bytes.`)
  return blob.bytes()
}
