import type { MediaObject } from '@stoa/cms-model/media.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { FileText, Film, Image, ImageOff, Music } from 'lucide-react'
import { useState } from 'react'
import { settingsQuery } from '../settings/queries.ts'
import { cropPosition } from './crops.ts'
import { pictureSource } from './renditions.ts'

type ThumbMedia = Pick<MediaObject, 'url' | 'filename' | 'mimeType' | 'width' | 'height' | 'focalX' | 'focalY'>

type ThumbSize = 'xs' | 'sm' | 'md' | 'lg' | 'fill'

type MediaThumbProps = {
  media: ThumbMedia
  /** Squares for a line of text, a row, a card and a panel; `fill` takes the size of what is around it. */
  size: ThumbSize
  /** Stands for something else: it fills its place, whatever it is. */
  fills?: boolean
  className?: string
}

const boxes: Record<ThumbSize, string> = {
  xs: 'size-6 rounded-xs',
  sm: 'size-10 rounded-sm',
  md: 'size-20 rounded-md',
  lg: 'size-40 rounded-md',
  fill: 'size-full',
}

/** CSS pixels that the sides of the squares have, for the choice of a rendition. */
const widths: Record<ThumbSize, number> = { xs: 24, sm: 40, md: 80, lg: 160, fill: 240 }

/** Shows through where a picture has no color. */
export const checker = 'bg-[repeating-conic-gradient(var(--color-pressed)_0_25%,transparent_0_50%)] bg-size-[1rem_1rem]'

/** Screens that show more than two pixels for one are not worth the bytes. */
const MAX_DENSITY = 2

/** A small picture of a file, or a sign of its kind. Says nothing to a screen reader: its name stands beside it. */
export const MediaThumb = ({ media, size, fills = false, className }: MediaThumbProps) => {
  const [broken, setBroken] = useState<string>()
  const { data: sizes } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  const isWhole = !fills && mayBeTransparent(media.mimeType)
  const isPicture = media.mimeType.startsWith('image/')
  const density = Math.min(MAX_DENSITY, globalThis.devicePixelRatio || 1)
  const source = isPicture && sizes ? pictureSource(media, widths[size] * density, sizes) : undefined
  return (
    <span
      aria-hidden
      className={cx(
        'flex shrink-0 items-center justify-center overflow-hidden bg-sunken text-faint',
        isWhole && checker,
        boxes[size],
        className,
      )}
    >
      {source !== undefined && source !== broken ? (
        <img
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(source)}
          style={{ objectPosition: positionOf(media, size === 'fill' ? FILLED_RATIO : 1) }}
          className={cx('size-full', isWhole ? 'object-contain' : 'object-cover')}
        />
      ) : isPicture && broken === undefined ? null : (
        <KindIcon
          mimeType={media.mimeType}
          broken={broken !== undefined}
          className={size === 'xs' ? 'size-3.5' : size === 'sm' ? 'size-5' : 'size-8'}
        />
      )}
    </span>
  )
}

/** The shape of tiles. */
const FILLED_RATIO = 4 / 3

const positionOf = ({ width, height, focalX, focalY }: ThumbMedia, ratio: number): string | undefined =>
  width === null || height === null ? undefined : cropPosition({ width, height, focalX, focalY }, ratio)

/** Logos and drawings: shown whole, on a pattern that shows through. */
const mayBeTransparent = (mimeType: string): boolean =>
  mimeType === 'image/png' || mimeType === 'image/svg+xml' || mimeType === 'image/gif'

type KindIconProps = { mimeType: string; broken?: boolean; className?: string }

/** The sign of a kind of file. */
export const KindIcon = ({ mimeType, broken = false, className }: KindIconProps) => {
  const Icon = broken ? ImageOff : iconOf(mimeType)
  return <Icon aria-hidden strokeWidth={1.5} className={className} />
}

const iconOf = (mimeType: string) => {
  if (mimeType.startsWith('image/')) return Image
  if (mimeType.startsWith('video/')) return Film
  return mimeType.startsWith('audio/') ? Music : FileText
}
