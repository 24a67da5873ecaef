import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import { entryQuery } from '../entries/queries.ts'
import { MediaThumb } from '../media/media-thumb.tsx'
import { mediaQuery } from '../media/queries.ts'
import { Marked } from './diff-text.tsx'

type SidesProps = { before: ReactNode; after: ReactNode }

/** The old and the new value; either can be empty. */
export const Sides = ({ before, after }: SidesProps) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
    {before === null ? null : <Marked kind="removed">{before}</Marked>}
    {before === null || after === null ? null : (
      <ArrowRight aria-label="became" className="size-4 shrink-0 text-faint" />
    )}
    {after === null ? null : <Marked kind="added">{after}</Marked>}
  </div>
)

/** A file by its id, in a line of text. */
export const FileChip = ({ id, note = '' }: { id: string; note?: string }) => {
  const { data: media, isError } = useQuery(mediaQuery(id))
  if (isError) return <Gone>Deleted file</Gone>
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 align-middle">
      {media ? <MediaThumb media={media} size="xs" /> : <Skeleton className="size-6" />}
      <span className="truncate">{note === '' ? (media?.filename ?? '') : note}</span>
    </span>
  )
}

/** A file by its id, large enough to be recognized. */
export const FileCard = ({ id, kind }: { id: string; kind: 'added' | 'removed' | 'same' }) => {
  const { data: media, isError } = useQuery(mediaQuery(id))
  const words = kind === 'added' ? 'Added' : kind === 'removed' ? 'Removed' : ''
  return (
    <figure
      className={cx(
        'flex w-28 flex-col gap-1 rounded-md border p-1.5',
        kind === 'added' && 'border-live-line bg-live-soft',
        kind === 'removed' && 'border-failed-line border-dashed bg-failed-soft',
        kind === 'same' && 'border-line',
      )}
    >
      <span className="flex aspect-square items-center justify-center overflow-clip rounded-sm bg-sunken text-faint">
        {media ? (
          <MediaThumb media={media} size="fill" />
        ) : isError ? (
          <FileX aria-hidden className="size-8" strokeWidth={1.5} />
        ) : (
          <Skeleton className="size-full" />
        )}
      </span>
      <figcaption className="min-w-0 text-xs">
        {words === '' ? null : <span className="block font-medium">{words}</span>}
        <span className="block truncate">{isError ? 'Deleted file' : (media?.filename ?? ' ')}</span>
      </figcaption>
    </figure>
  )
}

/** One file in place of another, side by side. */
export const MediaChange = ({ before, after }: { before: unknown; after: unknown }) => (
  <div className="flex flex-wrap items-center gap-3">
    {typeof before === 'string' ? <FileCard id={before} kind="removed" /> : null}
    {typeof before === 'string' && typeof after === 'string' ? (
      <ArrowRight aria-label="became" className="size-4 text-faint" />
    ) : null}
    {typeof after === 'string' ? <FileCard id={after} kind="added" /> : null}
  </div>
)

/** An entry by its title. */
export const EntryTitle = ({ id }: { id: string }) => {
  const { data: entry, isError } = useQuery(entryQuery(id))
  if (isError) return <Gone>Deleted entry</Gone>
  if (!entry) return <Skeleton className="inline-block w-24" />
  return (
    <TextLink to={`/content/${encodeURIComponent(entry.type)}/${encodeURIComponent(id)}`} className="break-words">
      {entry.title === '' ? 'Untitled' : entry.title}
    </TextLink>
  )
}

const Gone = ({ children }: { children: ReactNode }) => <span className="text-faint italic">{children}</span>
