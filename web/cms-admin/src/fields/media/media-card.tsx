import { IconButton } from '@stoa/ui/button/button.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { ImageOff, TriangleAlert, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { hasCode } from '../../api.ts'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { type MediaRecord, mediaQuery } from '../../media/queries.ts'
import { focusGroupOf } from '../focus-group.ts'
import { NewTabLink } from '../new-tab-link.tsx'
import { factsOf, lacksAlt } from './file-notes.ts'

export type MediaCardProps = { id: string; disabled: boolean; onRemove: () => void }

/** A chosen file: what it is, what it lacks, and the ways to it. */
export const MediaCard = ({ id, disabled, onRemove }: MediaCardProps) => {
  const { data, error } = useQuery(mediaQuery(id))
  const name = data?.filename ?? 'the missing file'
  const remove = (event: MouseEvent<HTMLElement>) => {
    focusGroupOf(event.currentTarget)
    onRemove()
  }
  return (
    <div className="flex min-w-0 items-start gap-3 rounded-lg border border-line bg-surface p-2">
      {data ? <MediaThumb media={data} size="md" /> : <NoPicture isLoading={!error} />}
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 py-0.5 text-sm">
        {data ? <FileFacts media={data} /> : null}
        {error && !data ? <NoFile error={error} /> : null}
        {data || error ? null : <Skeleton className="w-40" />}
      </div>
      <div className="flex shrink-0 items-center">
        {data ? <NewTabLink to={`/media?id=${id}`} label={`Open ${name}`} /> : null}
        {disabled ? null : <IconButton size="sm" label={`Remove ${name}`} icon={<X />} onClick={remove} />}
      </div>
    </div>
  )
}

const FileFacts = ({ media }: { media: MediaRecord }) => (
  <>
    <span className="truncate font-medium text-ink">{media.filename}</span>
    <span className="text-faint text-xs tabular-nums">{factsOf(media)}</span>
    {lacksAlt(media) ? <AltWarning /> : <span className="line-clamp-2 text-muted text-xs">{media.alt}</span>}
  </>
)

export const AltWarning = () => (
  <span className="flex items-start gap-1 text-draft-ink text-xs">
    <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
    No alt text yet
  </span>
)

const NoFile = ({ error }: { error: Error }) =>
  hasCode(error, 'NOT_FOUND') ? (
    <>
      <span className="font-medium text-danger-ink">Missing file</span>
      <span className="text-faint text-xs">It was deleted from the media library. Remove or replace it.</span>
    </>
  ) : (
    <span className="text-danger-ink text-xs">{messageOf(error)}</span>
  )

const NoPicture = ({ isLoading }: { isLoading: boolean }) =>
  isLoading ? (
    <Skeleton className="size-20 shrink-0 rounded-md" />
  ) : (
    <span className="flex size-20 shrink-0 items-center justify-center rounded-md bg-sunken text-faint">
      <ImageOff aria-hidden className="size-6" />
    </span>
  )
