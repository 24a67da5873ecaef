import {
  cleanFilename,
  isRaster,
  type MediaType,
  type RenditionFormat,
  type RenditionQuery,
} from '@stoa/cms-model/media.ts'
import type { Region, Sharp } from 'sharp'
import type { Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import { loadSharp } from '../../sharp.ts'
import { readSettings } from '../settings/settings.ts'
import { MAX_PIXELS, openOptions, WORK_SECONDS } from './image.ts'
import { findRendition, insertRendition, type ServedMedia, type StoredRendition } from './queries.ts'

/** A picture that was asked for, worked out: the same picture has the same plan, however it was asked for. */
export type RenditionPlan = {
  /** What is kept of the original; null: all of it. */
  crop: Region | null
  width: number
  height: number
  format: RenditionFormat
  /** Null where the format loses nothing. */
  quality: number | null
  mimeType: MediaType
  filename: string
}

const DEFAULT_QUALITY = 75
const FORMAT_TYPES = {
  webp: 'image/webp',
  avif: 'image/avif',
  jpeg: 'image/jpeg',
  png: 'image/png',
} as const satisfies Record<RenditionFormat, MediaType>
/** Of the formats that can be asked for, the one that loses least of each type. */
const OWN_FORMATS: Readonly<Record<string, RenditionFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'webp',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/** Works out what is asked for; refuses sizes that the settings do not have, and files that are no pictures. */
export const planRendition = async (ctx: Ctx, media: ServedMedia, query: RenditionQuery): Promise<RenditionPlan> => {
  const { width, height, mimeType } = media
  if (!isRaster(mimeType) || width === null || height === null)
    return failFields(Object.keys(query).map((key) => ({ key, message: `isn't available for ${mimeType}` })))
  const { imageSizes } = await readSettings(ctx.db)
  const unknown = (['w', 'h'] as const).filter((key) => query[key] !== undefined && !imageSizes.includes(query[key]))
  if (unknown.length > 0)
    failFields(unknown.map((key) => ({ key, message: `must be one of ${imageSizes.join(', ')}` })))
  const format = query.fm ?? OWN_FORMATS[mimeType] ?? 'webp'
  const type = FORMAT_TYPES[format]
  return {
    ...layOut({ width, height, focalX: media.focalX, focalY: media.focalY }, query, Math.max(...imageSizes)),
    format,
    quality: format === 'png' ? null : Number(query.q ?? DEFAULT_QUALITY),
    mimeType: type,
    filename: cleanFilename(media.filename, type),
  }
}

type Original = { width: number; height: number; focalX: number; focalY: number }
type Layout = Pick<RenditionPlan, 'crop' | 'width' | 'height'>

/** Never larger than the original, nor than the largest size of the settings where none is asked for. */
export const layOut = (original: Original, { w, h, fit = 'cover' }: RenditionQuery, largest: number): Layout => {
  if (w !== undefined && h !== undefined && fit === 'cover') return cover(original, w, h)
  const none = w === undefined && h === undefined ? largest : Number.POSITIVE_INFINITY
  const scale = Math.min(1, (w ?? none) / original.width, (h ?? none) / original.height)
  return { crop: null, width: atLeast1(original.width * scale), height: atLeast1(original.height * scale) }
}

/** The largest part with this shape that has the focal point as near to its middle as can be. */
const cover = ({ width, height, focalX, focalY }: Original, w: number, h: number): Layout => {
  const isWider = width * h > height * w
  const crop = {
    width: isWider ? Math.min(width, atLeast1((height * w) / h)) : width,
    height: isWider ? height : Math.min(height, atLeast1((width * h) / w)),
  }
  const left = between(Math.round(focalX * width - crop.width / 2), width - crop.width)
  const top = between(Math.round(focalY * height - crop.height / 2), height - crop.height)
  const isSmaller = crop.width < w || crop.height < h
  const size = isSmaller ? crop : { width: w, height: h }
  const isAll = crop.width === width && crop.height === height
  return { crop: isAll ? null : { ...crop, left, top }, ...size }
}

const atLeast1 = (side: number): number => Math.max(1, Math.round(side))
const between = (value: number, most: number): number => Math.max(0, Math.min(value, most))

/** The rendition that was made before, or made now. */
export const openRendition = async (ctx: Ctx, media: ServedMedia, plan: RenditionPlan): Promise<StoredRendition> =>
  (await findRendition(ctx.db, media.id, variantOf(plan))) ?? makeOnce(ctx, media, plan)

/** Makes and stores it; all who ask meanwhile wait for the same one. */
export const makeOnce = (ctx: Ctx, media: ServedMedia, plan: RenditionPlan): Promise<StoredRendition> => {
  const variant = variantOf(plan)
  const name = `${media.id} ${media.blobKey} ${variant}`
  const { making } = ctx.media
  const running = making.get(name) ?? makeAndStore(ctx, media, { plan, variant }).finally(() => making.delete(name))
  making.set(name, running)
  return running
}

const variantOf = ({ crop, width, height, format, quality }: RenditionPlan): string => {
  const part = crop === null ? 'all' : `${crop.left}.${crop.top}.${crop.width}.${crop.height}`
  return `${width}x${height}-${part}-${format}${quality === null ? '' : `-${quality}`}`
}

type Order = { plan: RenditionPlan; variant: string }

const makeAndStore = async (ctx: Ctx, media: ServedMedia, { plan, variant }: Order): Promise<StoredRendition> => {
  const blobs = await ctx.media.blobs()
  const bytes = await ctx.media.slots.run(async () => {
    const { stream } = await blobs.get(media.blobKey)
    const original = Buffer.concat(await stream.toArray())
    return makeRendition(original, plan).catch((error: unknown) => {
      ctx.log.warn({ err: error, mediaId: media.id, variant }, 'a rendition cannot be made')
      return failFields([{ key: 'query', message: "can't be created because this file is damaged" }])
    })
  })
  const { key, size } = await blobs.put(bytes, { maxBytes: bytes.length, contentType: plan.mimeType })
  const made = { blobKey: key, mimeType: plan.mimeType, size }
  await ctx.tx((tx) =>
    insertRendition(tx, { ...made, mediaId: media.id, variant, madeOf: media.blobKey, at: ctx.now() }),
  )
  return made
}

/** The picture as a JPEG whose sides are `side` pixels at most: for what looks at it once. Null: it cannot be read. */
export const readPreviewJpeg = async (
  ctx: Ctx,
  media: Pick<ServedMedia, 'id' | 'blobKey'>,
  side: number,
): Promise<Buffer | null> => {
  const blobs = await ctx.media.blobs()
  return ctx.media.slots.run(async () => {
    const { stream } = await blobs.get(media.blobKey)
    const original = Buffer.concat(await stream.toArray())
    const sharp = await loadSharp()
    const picture = sharp(original, LENIENT)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: WORK_SECONDS })
    return encode(picture, 'jpeg', DEFAULT_QUALITY)
      .toBuffer()
      .catch((error: unknown) => {
        ctx.log.warn({ err: error, mediaId: media.id }, 'a picture cannot be made smaller')
        return null
      })
  })
}

/** Metadata, and with them the place where a photograph was taken, stay behind. */
const makeRendition = async (original: Buffer, plan: RenditionPlan): Promise<Buffer> => {
  const { crop, width, height, format, quality } = plan
  const sharp = await loadSharp()
  const animated = format === 'webp' && (await isShortAnimation(original))
  let picture = sharp(original, { ...LENIENT, animated })
  if (crop !== null) picture = picture.extract(crop)
  picture = picture.resize({ width, height, fit: 'fill' }).timeout({ seconds: WORK_SECONDS })
  return encode(picture, format, quality ?? DEFAULT_QUALITY).toBuffer()
}

/** What was good enough to be taken is shown as far as it can be read, such as an animation with a damaged frame. */
const LENIENT = { ...openOptions, failOn: 'none' } as const

/** All frames are held at once: of an animation that is too long the first frame stands for it. */
const isShortAnimation = async (original: Buffer): Promise<boolean> => {
  const sharp = await loadSharp()
  const { width, height, pages = 1 } = await sharp(original, { ...LENIENT, pages: 1 }).metadata()
  return pages > 1 && width * height * pages <= MAX_PIXELS
}

/** More would take seconds for a few bytes less. */
const AVIF_EFFORT = 3

const encode = (picture: Sharp, format: RenditionFormat, quality: number): Sharp => {
  switch (format) {
    case 'webp':
      return picture.webp({ quality })
    case 'avif':
      return picture.avif({ quality, effort: AVIF_EFFORT })
    case 'jpeg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true })
    case 'png':
      return picture.png()
  }
}
