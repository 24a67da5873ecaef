import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { useSiteZone } from '../queries.ts'
import { momentIn } from './use-post-actions.ts'

/** When a post goes out, to the minute and by the site's clock; how long ago it did. */
export const PostTime = ({ at, className }: { at: string; className?: string }) => {
  const zone = useSiteZone()
  if (Date.parse(at) <= Date.now()) return <RelativeTime at={at} {...(className ? { className } : {})} />
  return (
    <time dateTime={at} title={zone.replaceAll('_', ' ')} className={className}>
      {momentIn(zone, at)}
    </time>
  )
}
