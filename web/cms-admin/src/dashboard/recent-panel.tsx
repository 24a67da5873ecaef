import type { EntryCard } from '@stoa/cms-model/dashboard.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { entryPath } from '../content-path.ts'
import { EntryStatus } from '../entries/status.tsx'
import { MediaThumb } from '../media/media-thumb.tsx'
import { TypeIcon } from '../type-icon.tsx'
import { typesQuery } from '../types/queries.ts'
import { dashboardQuery } from './queries.ts'

/** The entries that were changed last, by their pictures; nothing on a site without entries. */
export const RecentPanel = () => {
  const { data } = useQuery(dashboardQuery)
  if (data?.recent.length === 0) return null
  return (
    <Panel title="Recently edited">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-5">
        {data
          ? data.recent.map((card) => (
              <li key={card.id}>
                <Card card={card} />
              </li>
            ))
          : PLACES.map((place) => (
              <li key={place} aria-hidden className="flex flex-col gap-2">
                <Skeleton className="aspect-4/3 h-auto! w-full" />
                <Skeleton className="w-2/3" />
              </li>
            ))}
      </ul>
    </Panel>
  )
}

const PLACES = [1, 2, 3, 4]

const Card = ({ card }: { card: EntryCard }) => (
  <AppLink to={entryPath(card)} className="group flex min-w-0 flex-col gap-2 rounded-md">
    <span className="block aspect-4/3 overflow-hidden rounded-md border border-line bg-sunken">
      {card.cover ? <MediaThumb media={card.cover} size="fill" fills /> : <NoCover type={card.type} />}
    </span>
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="truncate font-medium text-ink text-sm group-hover:underline">
        {card.title === '' ? 'Untitled' : card.title}
      </span>
      <EntryStatus entry={card} />
      <RelativeTime at={card.updatedAt} className="truncate text-faint text-xs" />
    </span>
  </AppLink>
)

const NoCover = ({ type: name }: { type: string }) => {
  const { data: types } = useQuery(typesQuery)
  const type = types?.items.find((known) => known.name === name)
  return (
    <span className="flex size-full items-center justify-center text-faint">
      <TypeIcon type={type ?? { icon: '', kind: 'collection' }} className="size-6" />
    </span>
  )
}
