import type { MediaObject } from '@stoa/cms-model/media.ts'

export type Pictured = Pick<MediaObject, 'url' | 'mimeType' | 'width' | 'height'>

/** Pictures made of pixels: only they can be had in other sizes. */
export const isRaster = (mimeType: string): boolean => mimeType.startsWith('image/') && mimeType !== 'image/svg+xml'

/** Where this admin's own service has the file: the page may show nothing of other hosts. */
export const ownPath = (url: string): string => new URL(url, 'http://own.invalid').pathname

/** The smallest allowed size that fills so many pixels; the largest when none does. */
export const sizeFor = (pixels: number, sizes: readonly number[]): number | undefined => {
  const sorted = sizes.toSorted((a, b) => a - b)
  return sorted.find((size) => size >= pixels) ?? sorted.at(-1)
}

/** The address of a picture that is at least so wide, or the original when that is no wider. */
export const pictureSource = (media: Pictured, pixels: number, sizes: readonly number[]): string => {
  const path = ownPath(media.url)
  const size = sizeFor(pixels, sizes)
  if (!isRaster(media.mimeType) || size === undefined) return path
  if (media.width !== null && media.width <= size) return path
  return `${path}?w=${size}&fm=webp`
}
