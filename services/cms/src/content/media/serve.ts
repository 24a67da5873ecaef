import { HASH_LENGTH, isRaster, type RenditionQuery } from '@stoa/cms-model/media.ts'
import { BlobError } from '@stoa/kit/blobs/blobs.ts'
import { isFresh } from '@stoa/kit/http/etag.ts'
import { baseHeaders, type Surface } from '@stoa/kit/http/headers.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { contentDisposition, isRangeWanted, parseRange } from '@stoa/kit/http/ranges.ts'
import { type RawBody, type Reply, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { findServed, type ServedMedia, type StoredRendition, wasAt } from './queries.ts'
import { makeOnce, openRendition, planRendition } from './renditions.ts'
import { mediaUrl } from './schema.ts'

/** Other content has another address. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** A crop follows the focal point, and a redirect the configuration, under the same address. */
const FOR_AN_HOUR = 'public, max-age=3600'

/** What files are answered with: readable from every page, never a page themselves. */
export const mediaSurface = (publicUrl: string, extra: Record<string, string> = {}): Surface => ({
  headers: {
    ...baseHeaders(publicUrl),
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    ...extra,
  },
})

type Address = { id: string; hash: string; filename: string }

/**
 * A file at its address, or the picture that is asked for of it. An address that it had before leads to the present one;
 * any other is none.
 */
export const serveFile = async (
  ctx: Ctx,
  address: Address,
  query: RenditionQuery,
  request: Incoming,
): Promise<Reply<RawBody>> => {
  const media = await findServed(ctx.db, address.id)
  if (media === null) return fail('NOT_FOUND')
  if (!isAt(media, address)) return redirect(ctx, media, address, query)
  if (Object.keys(query).length > 0) return serveRendition(ctx, media, query, request)
  const elsewhere = isRaster(media.mimeType) ? ctx.media.publicUrlOf(media.blobKey) : null
  if (elsewhere !== null)
    return reply('', { status: 302, headers: { location: elsewhere, 'cache-control': FOR_AN_HOUR } })
  return sendFile(ctx, request, {
    key: media.blobKey,
    size: media.size,
    mimeType: media.mimeType,
    filename: media.filename,
    caching: FOR_EVER,
  })
}

/** Not to be kept: the file may be replaced once more. */
const redirect = async (
  ctx: Ctx,
  media: ServedMedia,
  address: Address,
  query: RenditionQuery,
): Promise<Reply<RawBody>> => {
  if (!(await wasAt(ctx.db, address))) return fail('NOT_FOUND')
  const wanted = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const location = mediaUrl(ctx.config, media) + (wanted === '' ? '' : `?${wanted}`)
  return reply('', { status: 302, headers: { location, 'cache-control': 'no-cache' } })
}

const isAt = (media: ServedMedia, { hash, filename }: Address): boolean =>
  media.hash.slice(0, HASH_LENGTH) === hash && media.filename === filename

const serveRendition = async (
  ctx: Ctx,
  media: ServedMedia,
  query: RenditionQuery,
  request: Incoming,
): Promise<Reply<RawBody>> => {
  const plan = await planRendition(ctx, media, query)
  const sendIt = ({ blobKey, size }: StoredRendition) =>
    sendFile(ctx, request, {
      key: blobKey,
      size,
      mimeType: plan.mimeType,
      filename: plan.filename,
      caching: plan.crop === null ? FOR_EVER : FOR_AN_HOUR,
    })
  const found = await openRendition(ctx, media, plan)
  return sendIt(found).catch(async (raised: unknown) => {
    if (!(raised instanceof BlobError) || raised.problem !== 'missing') throw raised
    return sendIt(await makeOnce(ctx, media, plan))
  })
}

type Sent = { key: string; size: number; mimeType: string; filename: string; caching: string }

/** A stored file, or the part of it that is asked for. */
export const sendFile = async (ctx: Ctx, request: Incoming, file: Sent): Promise<Reply<RawBody>> => {
  const etag = `"${file.key}"`
  const kind = isRaster(file.mimeType) ? 'inline' : 'attachment'
  const headers = {
    'cache-control': file.caching,
    'content-disposition': contentDisposition(kind, file.filename),
    'accept-ranges': 'bytes',
  }
  if (isFresh(request.header('if-none-match'), etag)) return reply(null, { headers, etag })
  const isPart = request.method === 'GET' && isRangeWanted(request.header('if-range'), etag)
  const range = isPart ? parseRange(request.header('range'), file.size) : null
  if (range === 'unsatisfiable')
    return reply('', { status: 416, headers: { 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store' } })
  const length = range === null ? file.size : range.end - range.start + 1
  const options = { etag, contentType: file.mimeType, headers: { ...headers, 'content-length': String(length) } }
  if (request.method === 'HEAD') return reply(null, options)
  const body = await openBlob(ctx, file, range)
  if (range === null) return reply(body, options)
  const part = { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }
  return reply(body, { ...options, status: 206, headers: { ...options.headers, ...part } })
}

const openBlob = async (ctx: Ctx, { key }: Sent, range: { start: number; end: number } | null) => {
  const blobs = await ctx.media.blobs()
  const { stream } = await blobs.get(key, range === null ? {} : { range })
  // The response has already begun and can only be cut: the log is the only place that gives the reason.
  stream.once('error', (error) => ctx.log.error({ err: error, key }, 'a stored file cannot be read'))
  return stream
}
