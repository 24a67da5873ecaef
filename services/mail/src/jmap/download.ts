import type { Readable } from 'node:stream'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { contentDisposition, parseRange } from '@stoa/kit/http/ranges.ts'
import { type Reply, type ReplyOptions, reply } from '@stoa/kit/http/route.ts'
import type { JmapBlob } from './blobs.ts'

type Download = { blob: JmapBlob; blobId: string; name: string; type: string | undefined }

/** Bytes as a file (RFC 8620 §6.2): whatever type is asked for, no browser shows it in our name. */
export const downloadReply = async (
  { blob, blobId, name, type }: Download,
  incoming: Incoming,
): Promise<Reply<Buffer | Readable | null>> => {
  const headers: Record<string, string> = {
    // The bytes behind an id never change.
    'cache-control': 'private, max-age=31536000, immutable',
    'content-disposition': contentDisposition('attachment', name),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
  }
  const options: ReplyOptions = { headers, contentType: typeOf(type), etag: `"${blobId}"` }
  const range = parseRange(incoming.header('range'), blob.size)
  if (range === 'unsatisfiable')
    return reply(null, { ...options, status: 416, headers: { ...headers, 'content-range': `bytes */${blob.size}` } })
  if (range) {
    headers['content-range'] = `bytes ${range.start}-${range.end}/${blob.size}`
    const bytes = await blob.bytes({ start: range.start, end: range.end + 1 })
    return reply(bytes, { ...options, status: 206 })
  }
  headers['content-length'] = String(blob.size)
  return reply(blob.stream(), options)
}

/** A header takes only what looks like a media type. */
const typeOf = (type: string | undefined): string =>
  type !== undefined && MEDIA_TYPE.test(type) ? type : 'application/octet-stream'

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+'/:-]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*$/
