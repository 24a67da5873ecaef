import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../settings/queries.ts'
import { checker, KindIcon } from './media-thumb.tsx'
import { kindOf } from './media-tile.tsx'
import type { MediaRecord } from './queries.ts'
import { ownPath, pictureSource } from './renditions.ts'

/** Pixels across, on a screen with two for one. */
const PREVIEW_PIXELS = 1280

/** The address of a large picture of a file; undefined while the sizes are not known. */
export const usePreviewSource = (media: MediaRecord): string | undefined => {
  const { data: sizes } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  return sizes ? pictureSource(media, PREVIEW_PIXELS, sizes) : undefined
}

const box = 'flex max-h-120 min-h-56 w-full items-center justify-center overflow-hidden rounded-xl border border-line'

/** A file that is no picture made of pixels: a drawing, a film, a sound, or the sign of its kind. */
export const Preview = ({ media }: { media: MediaRecord }) => {
  const source = ownPath(media.url)
  if (media.mimeType.startsWith('image/'))
    return (
      <div className={cx(box, checker)}>
        <img src={source} alt={media.alt} className="max-h-120 w-full object-contain" />
      </div>
    )
  if (media.mimeType.startsWith('video/'))
    return (
      <div className={cx(box, 'bg-sunken')}>
        {/* biome-ignore lint/a11y/useMediaCaption: the file is what it is; captions belong to the page that uses it */}
        <video src={source} controls preload="metadata" className="max-h-120 w-full" />
      </div>
    )
  return (
    <div className={cx(box, 'flex-col gap-4 bg-sunken p-6 text-faint')}>
      <KindIcon mimeType={media.mimeType} className="size-12" />
      {media.mimeType.startsWith('audio/') ? (
        // biome-ignore lint/a11y/useMediaCaption: the file is what it is; captions belong to the page that uses it
        <audio src={source} controls preload="metadata" className="w-full max-w-field" />
      ) : (
        <p className="text-muted text-sm">{kindOf(media.mimeType)} document</p>
      )}
    </div>
  )
}
