import type { MediaType } from '@stoa/cms-model/media.ts'
import type { Metadata, SharpOptions } from 'sharp'
import { loadSharp } from '../../sharp.ts'

/** More pixels than this are an attack, or not meant for a website. */
export const MAX_PIXELS = 50_000_000
/** The limit for an animation; each frame may be as large as the first. */
const MAX_FRAMES = 2_000
/** Time for one picture; the largest take seconds on a slow machine. */
export const WORK_SECONDS = 30

/** A picture that cannot be used, in words for people. */
export class ImageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ImageError'
  }
}

/** How every picture is opened: bounded, upright, and refused when its data are damaged. */
export const openOptions = {
  limitInputPixels: MAX_PIXELS,
  failOn: 'error',
  autoOrient: true,
} as const satisfies SharpOptions

export type Picture = { width: number; height: number; frames: number }

const FORMATS: Partial<Record<MediaType, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
}

/** Size of a picture as people see it, after its data were read once from beginning to end. */
export const readPicture = async (file: string, type: MediaType): Promise<Picture> => {
  const metadata = await headerOf(file)
  if (metadata.format !== FORMATS[type]) throw new ImageError("doesn't match its declared image type")
  const frames = metadata.pages ?? 1
  if (frames > MAX_FRAMES) throw new ImageError(`must have at most ${MAX_FRAMES} frames`)
  await readThrough(file)
  const { width, height } = metadata.autoOrient
  return { width, height, frames }
}

const headerOf = async (file: string): Promise<Metadata> => {
  const sharp = await loadSharp()
  // We check the limit ourselves: reading the header costs nothing.
  const metadata = await sharp(file, { ...openOptions, limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(refuseDamaged)
  if (metadata.width * metadata.height > MAX_PIXELS)
    throw new ImageError(`must have at most ${MAX_PIXELS / 1_000_000} million pixels`)
  return metadata
}

const readThrough = async (file: string): Promise<void> => {
  const sharp = await loadSharp()
  await sharp(file, { ...openOptions, pages: 1 })
    .resize({ width: 16, height: 16, fit: 'inside' })
    .timeout({ seconds: WORK_SECONDS })
    .raw()
    .toBuffer()
    .catch(refuseDamaged)
}

const refuseDamaged = (error: unknown): never => {
  throw new ImageError("can't be read because it is damaged", error)
}
