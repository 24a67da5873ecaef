import { createHash } from 'node:crypto'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { hashToken, hmacToken } from '@stoa/kit/crypto/tokens.ts'
import type { Metadata, Sharp } from 'sharp'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import { loadSharp } from '../../sharp.ts'
import { type Limits, NetworkFailure } from '../networks/networks.ts'
import type { FileRow } from '../posts/posts.ts'
import { findRendition, keepRendition, putRendition, type StoredRendition } from './queries.ts'

const MAX_PIXELS = 50_000_000
const WORK_SECONDS = 30
const QUALITIES = [90, 80, 70, 60, 50]
/** Each step has about two thirds of the bytes of the one before. */
const SHRINK = 0.8
const MAX_SHRINKS = 12
const WHITE = '#ffffff'

export type Size = { width: number; height: number }

type Order = { targetId: string; file: FileRow; limits: Limits; size: Size | null }

/** The picture as the network takes it: made once for a target, and the same at each try. */
export const makeRendition = async (
  ctx: Ctx,
  { targetId, file, limits, size }: Order,
): Promise<{ token: string; made: StoredRendition }> => {
  const wish = { types: limits.imageTypes, maxBytes: limits.imageMaxBytes, ...limits.image, size }
  const token = tokenOf(ctx.config, [targetId, file.id, file.hash, JSON.stringify(wish)])
  const hash = hashToken(token)
  const found = await findRendition(ctx.db, hash)
  if (found) {
    await ctx.tx((tx) => keepRendition(tx, hash))
    return { token, made: found }
  }
  const made = await ctx.media.slots.run(() => fit(ctx, file, limits, size))
  await ctx.tx((tx) => putRendition(tx, hash, targetId, made, ctx.now()))
  return { token, made }
}

/** A token that nobody can guess, and that can be recomputed instead of stored. */
const tokenOf = ({ secret }: Pick<Config, 'secret'>, parts: readonly string[]): string =>
  hmacToken(subKey(secret, 'social-rendition'), createHash('sha256').update(parts.join('\n')).digest('hex')).toString(
    'base64url',
  )

export const renditionUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string =>
  `${publicUrl}/media/social/${token}.jpg`

const fit = async (ctx: Ctx, file: FileRow, limits: Limits, size: Size | null): Promise<StoredRendition> => {
  const blobs = await ctx.media.blobs()
  const { stream } = await blobs.get(file.blobKey)
  const original = Buffer.concat(await stream.toArray())
  try {
    const sharp = await loadSharp()
    const metadata = await sharp(original, OPEN).metadata()
    const shown = metadata.autoOrient
    if (isAsWanted(file, metadata, limits, size))
      return { blobKey: file.blobKey, mimeType: file.mimeType, size: file.size, ...sizeOf(shown) }
    const made = await encode(original, layOut(sizeOf(shown), limits, size), limits)
    const { key } = await blobs.put(made.bytes, { maxBytes: made.bytes.length, contentType: made.mimeType })
    return { blobKey: key, mimeType: made.mimeType, size: made.bytes.length, width: made.width, height: made.height }
  } catch (error) {
    if (error instanceof NetworkFailure) throw error
    ctx.log.warn({ err: error, mediaId: file.id }, 'a picture for a social network cannot be made')
    throw new NetworkFailure({
      kind: 'invalid',
      code: 'MEDIA_UNREADABLE',
      message: `${file.filename} can't be read. The file may be damaged.`,
    })
  }
}

const OPEN = { limitInputPixels: MAX_PIXELS, failOn: 'none' } as const
const sizeOf = ({ width, height }: Size): Size => ({ width, height })

const isAsWanted = (
  file: FileRow,
  { autoOrient, orientation = 1, space }: Metadata,
  limits: Limits,
  size: Size | null,
) => {
  const plan = layOut(sizeOf(autoOrient), limits, size)
  return (
    limits.imageTypes.includes(file.mimeType) &&
    file.size <= limits.imageMaxBytes &&
    orientation === 1 &&
    (space === 'srgb' || space === 'b-w') &&
    plan.inner.width === autoOrient.width &&
    plan.inner.height === autoOrient.height &&
    plan.outer.width === autoOrient.width &&
    plan.outer.height === autoOrient.height
  )
}

/** The picture inside, and the canvas around it. */
export type Plan = { inner: Size; outer: Size }

/** Never larger than the original; borders where the shape is not one that the network shows. */
export const layOut = (original: Size, { image }: Pick<Limits, 'image'>, size: Size | null): Plan => {
  if (size !== null) return { inner: within(original, size), outer: size }
  const byWidth = image.maxWidth === null ? 1 : image.maxWidth / original.width
  const byPixels =
    image.maxPixels === undefined ? 1 : Math.sqrt((image.maxPixels - 1) / (original.width * original.height))
  const inner = scaled(original, Math.min(1, byWidth, byPixels))
  return padded(inner, image)
}

const padded = (inner: Size, { aspect, maxWidth }: Limits['image']): Plan => {
  if (aspect === null) return { inner, outer: inner }
  const [narrow, wide] = aspect
  const ratio = inner.width / inner.height
  if (ratio > wide) return { inner, outer: { width: inner.width, height: Math.ceil(inner.width / wide) } }
  if (ratio >= narrow) return { inner, outer: inner }
  const width = Math.ceil(inner.height * narrow)
  if (maxWidth === null || width <= maxWidth) return { inner, outer: { width, height: inner.height } }
  const outer = { width: maxWidth, height: Math.floor(maxWidth / narrow) }
  return { inner: within(inner, outer), outer }
}

const within = (inner: Size, outer: Size): Size =>
  scaled(inner, Math.min(1, outer.width / inner.width, outer.height / inner.height))

const scaled = ({ width, height }: Size, by: number): Size => ({
  width: Math.max(1, Math.floor(width * by)),
  height: Math.max(1, Math.floor(height * by)),
})

type Made = Size & { bytes: Buffer; mimeType: string }

/** JPEG in sRGB, upright and without metadata; a lower quality, then a smaller picture, until it is small enough. */
const encode = async (original: Buffer, { inner, outer }: Plan, limits: Limits): Promise<Made> => {
  const isJpeg = limits.imageTypes.includes('image/jpeg')
  for (let shrinks = 0, by = 1; shrinks < MAX_SHRINKS; shrinks += 1, by *= SHRINK) {
    // All pictures of a post have the same size: only their quality may differ.
    const isFixed = limits.image.isSameSize === true
    const [small, canvas] = isFixed ? [inner, outer] : [scaled(inner, by), scaled(outer, by)]
    const drawn = await draw(original, small, canvas)
    for (const quality of isJpeg ? QUALITIES : [0]) {
      const bytes = await (isJpeg ? drawn.clone().jpeg({ quality, mozjpeg: false }) : drawn.clone().png()).toBuffer()
      if (bytes.length <= limits.imageMaxBytes)
        return { ...canvas, bytes, mimeType: isJpeg ? 'image/jpeg' : 'image/png' }
    }
    if (isFixed) break
  }
  throw new NetworkFailure({
    kind: 'invalid',
    code: 'MEDIA_TOO_LARGE',
    message: "An image of this post can't be made small enough for the network",
  })
}

const draw = async (original: Buffer, inner: Size, outer: Size): Promise<Sharp> => {
  const sharp = await loadSharp()
  const left = Math.floor((outer.width - inner.width) / 2)
  const top = Math.floor((outer.height - inner.height) / 2)
  return sharp(original, { ...OPEN, autoOrient: true })
    .resize({ ...inner, fit: 'fill' })
    .flatten({ background: WHITE })
    .extend({
      left,
      top,
      right: outer.width - inner.width - left,
      bottom: outer.height - inner.height - top,
      background: WHITE,
    })
    .toColourspace('srgb')
    .timeout({ seconds: WORK_SECONDS })
}
