import type { Readable } from 'node:stream'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { contentDisposition, parseRange } from '@stoa/kit/http/ranges.ts'
import { type Reply, type ReplyOptions, reply } from '@stoa/kit/http/route.ts'
import { fail } from '../../errors.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import { findBlob, isPartBlobId, type JmapBlob } from './blobs.ts'
import type { Jmap } from './jmap.ts'
import { slicesOf } from './slices.ts'

/** `by` is who asks. */
type Download = { blobId: string; name: string; type: string | undefined; by: string }

/** Bytes as a file (RFC 8620 §6.2): whatever type is asked for, no browser shows it in our name. */
export const serveDownload = async (
  jmap: Pick<Jmap, 'parts' | 'downloads'>,
  access: MailboxAccess,
  download: Download,
  incoming: Incoming,
): Promise<Reply<Readable | null>> => {
  // Only whole messages and uploads come from the disk as they are read; anything else is in memory until it is sent.
  const isInMemory = isPartBlobId(download.blobId) || incoming.header('range') !== undefined
  const leave = isInMemory ? await jmap.downloads.enter(download.by) : () => undefined
  try {
    const blob = (await findBlob(jmap, access, download.blobId)) ?? fail('not_found')
    return await downloadReply(download, blob, { incoming, isInMemory, leave })
  } catch (error) {
    leave()
    throw error
  }
}

const downloadReply = async (
  { blobId, name, type }: Download,
  blob: JmapBlob,
  { incoming, isInMemory, leave }: { incoming: Incoming; isInMemory: boolean; leave: () => void },
): Promise<Reply<Readable | null>> => {
  const headers: Record<string, string> = {
    // The bytes behind an id never change.
    'cache-control': 'private, max-age=31536000, immutable',
    'content-disposition': contentDisposition('attachment', name),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
  }
  const options: ReplyOptions = { headers, contentType: typeOf(type), etag: `"${blobId}"` }
  const range = parseRange(incoming.header('range'), blob.size)
  if (range === 'unsatisfiable') {
    leave()
    return reply(null, { ...options, status: 416, headers: { ...headers, 'content-range': `bytes */${blob.size}` } })
  }
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${blob.size}`
  const status = range ? 206 : 200
  if (!isInMemory) {
    headers['content-length'] = String(blob.size)
    return reply(blob.stream(), { ...options, status })
  }
  const bytes = await blob.bytes(range ? { start: range.start, end: range.end + 1 } : undefined)
  headers['content-length'] = String(bytes.length)
  return reply(slicesOf(bytes, leave), { ...options, status })
}

/** A header takes only what looks like a media type. */
const typeOf = (type: string | undefined): string =>
  type !== undefined && MEDIA_TYPE.test(type) ? type : 'application/octet-stream'

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+'/:-]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*$/
