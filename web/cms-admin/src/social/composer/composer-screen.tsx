import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { useQuery } from '@tanstack/react-query'
import { entryQuery } from '../../entries/queries.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { isDay } from '../calendar/days.ts'
import { offeredTime } from '../calendar/move.ts'
import { networksQuery, postQuery, useSiteZone } from '../queries.ts'
import { Composer } from './composer.tsx'
import { draftOf, emptyDraft } from './draft.ts'
import { shareOf } from './share.ts'

/** A new post: empty, for a day of the calendar, or about an entry. */
export const NewPostScreen = () => {
  const url = useUrlState()
  const networks = useQuery(networksQuery)
  const zone = useSiteZone()
  const day = url.get('day')
  const offered = isDay(day) ? offeredTime(day, new Date(), zone) : undefined
  return (
    <QueryBoundary query={networks} name="The networks" lines={10}>
      {({ items }) =>
        url.get('entry') === '' ? (
          <Composer initial={emptyDraft} post={null} networks={items} offered={offered} />
        ) : (
          <SharedEntry id={url.get('entry')} networks={items} />
        )
      }
    </QueryBoundary>
  )
}

type SharedEntryProps = { id: string; networks: Parameters<typeof Composer>[0]['networks'] }

const SharedEntry = ({ id, networks }: SharedEntryProps) => {
  const entry = useQuery(entryQuery(id))
  const types = useQuery(typesQuery)
  const settings = useQuery(settingsQuery)
  return (
    <QueryBoundary query={entry} name="The entry" lines={10}>
      {(found) => (
        <QueryBoundary query={types} name="The content types" lines={10}>
          {({ items }) => (
            <QueryBoundary query={settings} name="The settings" lines={10}>
              {(site) => {
                const type = items.find(({ name }) => name === found.type) ?? { fields: [] }
                return (
                  <Composer initial={shareOf(found, type, site, location.origin)} post={null} networks={networks} />
                )
              }}
            </QueryBoundary>
          )}
        </QueryBoundary>
      )}
    </QueryBoundary>
  )
}

/** A post that is stored. */
export const EditPostScreen = ({ id }: { id: string }) => {
  const networks = useQuery(networksQuery)
  const post = useQuery(postQuery(id))
  return (
    <QueryBoundary query={post} name="The post" lines={10}>
      {(found) => (
        <QueryBoundary query={networks} name="The networks" lines={10}>
          {({ items }) => <Composer key={found.id} initial={draftOf(found)} post={found} networks={items} />}
        </QueryBoundary>
      )}
    </QueryBoundary>
  )
}
