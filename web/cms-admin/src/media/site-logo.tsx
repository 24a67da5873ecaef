import { useQuery } from '@tanstack/react-query'
import { MediaThumb } from './media-thumb.tsx'
import { mediaQuery } from './queries.ts'

/** The logo of the site in a square; nothing while it is not known. */
export const SiteLogo = ({ id }: { id: string }) => {
  const { data } = useQuery(mediaQuery(id))
  return data ? <MediaThumb media={data} size="sm" className="size-7! rounded-none! bg-none! bg-surface!" /> : null
}
