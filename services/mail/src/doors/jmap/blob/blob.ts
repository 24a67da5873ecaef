import type { JmapMethod } from '../method.ts'
import { blobCopy } from './copy.ts'
import { blobGet } from './get.ts'
import { blobLookup } from './lookup.ts'
import { blobUpload } from './upload.ts'

/** RFC 8620 §6.3 and RFC 9404. */
export const blobMethods: readonly JmapMethod[] = [blobCopy, blobGet, blobUpload, blobLookup]
