import type { ClientScript } from '../../../receiving/filters/filters.ts'
import type { Args } from '../method.ts'
import { scriptBlobId } from './script-blobs.ts'

export const PROPERTIES = ['id', 'name', 'blobId', 'isActive']

/** RFC 9661 §2. */
export const toObject = (script: ClientScript): Args => ({
  id: script.id,
  name: script.name,
  blobId: scriptBlobId(script),
  isActive: script.isActive,
})
