import { Readable } from 'node:stream'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { type ClientScript, readScript } from '../../../receiving/filters/filters.ts'
import type { JmapBlob } from '../blobs.ts'
import type { JmapParts } from '../method.ts'

const SCRIPT_BLOB = /^s([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{16})$/

/** The blob of a script: another one whenever its text is, since the bytes of a blob never change (RFC 8620 §6). */
export const scriptBlobId = ({ id, version }: Pick<ClientScript, 'id' | 'version'>): string => `s${id}-${version}`

/** The text of a script as a blob of its mailbox; null for what is not there, or not any more. */
export const findScriptBlob = async (
  { database }: Pick<JmapParts, 'database'>,
  access: MailboxAccess,
  blobId: string,
): Promise<JmapBlob | null> => {
  const [, id, version] = SCRIPT_BLOB.exec(blobId) ?? []
  if (id === undefined || access.viewerId !== null) return null
  const script = await readScript(database.db, access.addressId, id)
  if (!script || script.version !== version) return null
  const bytes = Buffer.from(script.source)
  return {
    size: bytes.length,
    sha256: null,
    bytes: async (window) => bytes.subarray(window?.start ?? 0, window?.end ?? bytes.length),
    stream: () => Readable.from([bytes], { objectMode: false }),
    stored: null,
  }
}
