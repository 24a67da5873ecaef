import { useQuery } from '@tanstack/react-query'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { mediaQuery } from '../../media/queries.ts'

/** The small picture of a file, by its id; nothing while it is unknown. */
export const RowPicture = ({ id }: { id: string }) => {
  const { data } = useQuery(mediaQuery(id))
  return data ? <MediaThumb media={data} size="xs" /> : <span className="size-6 shrink-0 rounded-xs bg-sunken" />
}
