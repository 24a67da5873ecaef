import { useQuery } from '@tanstack/react-query'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { mediaQuery } from '../../media/queries.ts'
import { NAMES_FRESH_MS, Several } from '../cell-parts.tsx'

export const Pictures = ({ ids }: { ids: readonly string[] }) => (
  <Several items={ids.map((id) => ({ id, shown: <EntryThumb id={id} /> }))} />
)

/** The file of a value as a small square; nothing while it is not known. */
export const EntryThumb = ({ id }: { id: string }) => {
  const { data } = useQuery({ ...mediaQuery(id), staleTime: NAMES_FRESH_MS })
  return data ? (
    <MediaThumb media={data} size="xs" />
  ) : (
    <span aria-hidden className="size-6 shrink-0 rounded-xs bg-sunken" />
  )
}
