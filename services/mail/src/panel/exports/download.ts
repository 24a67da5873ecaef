import { Readable } from 'node:stream'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { type ByteRange, contentDisposition, isRangeWanted, parseRange } from '@stoa/kit/http/ranges.ts'
import { type RawBody, type Reply, type ReplyOptions, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { ExportPiece } from '../../tables/exports.ts'
import { sizeOf } from './exports.ts'
import type { ExportRow } from './queries.ts'

/** The file, or the part of it that is still missing after a download broke off. */
export const downloadExport = (ctx: Ctx, row: ExportRow, incoming: Incoming): Reply<RawBody> => {
  if (row.status !== 'completed')
    fail('conflict', {
      message: row.next_at === null ? "This export wasn't completed." : "The export isn't finished yet.",
    })
  const size = sizeOf(row)
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': contentDisposition('attachment', `mail-${row.created_at.toISOString().slice(0, 10)}.zip`),
    'content-security-policy': "default-src 'none'; sandbox",
  }
  const options: ReplyOptions = { headers, contentType: 'application/zip', etag: `"${row.id}"` }
  const isWanted = isRangeWanted(incoming.header('if-range'), `"${row.id}"`)
  const range = isWanted ? parseRange(incoming.header('range'), size) : null
  if (range === 'unsatisfiable')
    return reply(null, { ...options, status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) headers['content-range'] = `bytes ${start}-${end}/${size}`
  headers['content-length'] = String(end - start + 1)
  const stream = Readable.from(readPieces(ctx.parts.blobs, row.pieces, { start, end }), { objectMode: false })
  return reply(stream, { ...options, status: range ? 206 : 200 })
}

async function* readPieces(blobs: Blobs, pieces: readonly ExportPiece[], wanted: ByteRange): AsyncGenerator<Buffer> {
  let offset = 0
  for (const { key, size } of pieces) {
    const range = { start: Math.max(0, wanted.start - offset), end: Math.min(size - 1, wanted.end - offset) }
    offset += size
    if (range.start > range.end) continue
    const isWhole = range.start === 0 && range.end === size - 1
    const { stream } = await blobs.get(key, isWhole ? {} : { range })
    yield* stream
  }
}
