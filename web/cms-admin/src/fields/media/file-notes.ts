import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'

/** A picture that says something to those who see it, and nothing to those who do not. */
export const lacksAlt = ({
  mimeType,
  alt,
  decorative,
}: Pick<MediaRecord, 'mimeType' | 'alt' | 'decorative'>): boolean =>
  mimeType.startsWith('image/') && alt === '' && !decorative

/** "1200 × 800, 64 kB". */
export const factsOf = ({ width, height, size }: Pick<MediaRecord, 'width' | 'height' | 'size'>): string =>
  [width !== null && height !== null ? `${width} × ${height}` : '', formatBytes(size)].filter(Boolean).join(', ')

/** Keys for files of which one may come twice. */
export const keysOfIds = (ids: readonly string[]): string[] => {
  const seen = new Map<string, number>()
  return ids.map((id) => {
    const times = (seen.get(id) ?? 0) + 1
    seen.set(id, times)
    return `${id} ${times}`
  })
}

/** The beginnings of types that the picker takes: `image/` for `image/*`. */
export const acceptedStarts = (accept: readonly string[]): string[] => accept.map((type) => type.replace(/\*$/, ''))
