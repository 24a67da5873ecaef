import { IconButton } from '@stoa/ui/button/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { cropPosition } from '../../media/crops.ts'
import { mediaQuery } from '../../media/queries.ts'
import { pictureSource } from '../../media/renditions.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { focusGroupOf } from '../focus-group.ts'
import { NewTabLink } from '../new-tab-link.tsx'
import { factsOf, lacksAlt } from './file-notes.ts'
import { AltWarning, MediaCard, type MediaCardProps } from './media-card.tsx'

/** The width of the text column, on a screen with two pixels for one. */
const PIXELS = 1360
const RATIO = 21 / 9

/** The picture of an entry across its page. A file that is no picture, or is gone, is shown as everywhere. */
export const CoverPicture = (props: MediaCardProps) => {
  const { id, disabled, onRemove } = props
  const { data: media, error } = useQuery(mediaQuery(id))
  const { data: sizes } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  if (error || (media && !media.mimeType.startsWith('image/'))) return <MediaCard {...props} />
  if (!media || !sizes) return <div className="aspect-21/9 w-full animate-pulse rounded-xl bg-sunken" />
  const { width, height, focalX, focalY, alt, filename } = media
  const remove = (event: MouseEvent<HTMLElement>) => {
    focusGroupOf(event.currentTarget)
    onRemove()
  }
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <img
        src={pictureSource(media, PIXELS, sizes)}
        alt={alt}
        decoding="async"
        style={{
          objectPosition:
            width === null || height === null ? undefined : cropPosition({ width, height, focalX, focalY }, RATIO),
        }}
        className="aspect-21/9 w-full rounded-xl bg-sunken object-cover"
      />
      <figcaption className="flex min-w-0 items-center gap-2 text-faint text-xs">
        <span className="min-w-0 truncate">{filename}</span>
        <span className="shrink-0 tabular-nums">{factsOf(media)}</span>
        {lacksAlt(media) ? <AltWarning /> : null}
        <span className="flex-1" />
        <NewTabLink to={`/media?id=${id}`} label={`Open ${filename}`} />
        {disabled ? null : <IconButton size="sm" label={`Remove ${filename}`} icon={<X />} onClick={remove} />}
      </figcaption>
    </figure>
  )
}
