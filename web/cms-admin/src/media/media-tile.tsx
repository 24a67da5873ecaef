import { formatBytes } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { ReactNode } from 'react'
import { MediaThumb } from './media-thumb.tsx'
import type { MediaRecord } from './queries.ts'

/** A picture that says nothing to those who cannot see it. */
export const lacksAlt = ({ mimeType, alt, decorative }: MediaRecord): boolean =>
  mimeType.startsWith('image/') && alt === '' && !decorative

/** "PNG · 1,200 × 800" */
const describeFile = ({ mimeType, width, height, size }: MediaRecord): string =>
  [kindOf(mimeType), width === null || height === null ? formatBytes(size) : `${width} × ${height}`].join(' · ')

/** "PNG", "MP4": what people call the type. */
export const kindOf = (mimeType: string): string => KINDS[mimeType] ?? mimeType.replace(/^.*\//, '').toUpperCase()

const KINDS: Readonly<Record<string, string>> = {
  'image/svg+xml': 'SVG',
  'video/quicktime': 'MOV',
  'audio/mpeg': 'MP3',
}

type TileFaceProps = { media: MediaRecord; chosen?: boolean; mark?: ReactNode }

/** The looks of a file in a grid: picture, name, kind, and an amber mark where the alternative text is missing. */
export const TileFace = ({ media, chosen = false, mark }: TileFaceProps) => (
  <>
    <span
      className={cx(
        'relative block aspect-4/3 w-full overflow-hidden rounded-lg border bg-sunken',
        chosen ? 'border-accent ring-2 ring-accent' : 'border-line group-hover/tile:border-line-strong',
      )}
    >
      <MediaThumb media={media} size="fill" />
      {lacksAlt(media) ? (
        <span
          aria-hidden
          title="No alt text"
          className="absolute right-2 bottom-2 size-2.5 rounded-full bg-draft-mark ring-2 ring-surface"
        />
      ) : null}
      {mark}
    </span>
    <span className="flex min-w-0 flex-col px-0.5 text-left">
      <span className="truncate font-medium text-ink text-xs">{media.filename}</span>
      <span className="truncate text-2xs text-faint tabular-nums">
        {describeFile(media)}
        {lacksAlt(media) ? <span className="sr-only">, no alt text</span> : null}
      </span>
    </span>
  </>
)
