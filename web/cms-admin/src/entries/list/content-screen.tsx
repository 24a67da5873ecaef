import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { PanelsTopLeft, SearchX } from 'lucide-react'
import { may } from '../../allowed.tsx'
import { contentPath } from '../../content-path.ts'
import { meQuery } from '../../queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { entriesQuery } from '../queries.ts'
import { EntryList } from './entry-list.tsx'

/** The entries of one type; of a single kind, its one entry. */
export const ContentScreen = ({ type: name }: { type: string }) => {
  const query = useQuery(typesQuery)
  const type = query.data?.items.find((candidate) => candidate.name === name)
  if (type)
    return type.kind === 'single' ? <SingleEntry key={name} type={type} /> : <EntryList key={name} type={type} />
  if (query.data) return <NoSuchType name={name} />
  if (!query.error) return <SkeletonText lines={8} />
  return (
    <Crash title="Couldn't load this list" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const NoSuchType = ({ name }: { name: string }) => (
  <>
    <title>Content type not found · Stoa CMS</title>
    <EmptyState
      icon={<SearchX />}
      title="Content type not found"
      action={<LinkButton to="/">Go to dashboard</LinkButton>}
    >
      “{name}” may have been deleted, or the URL is wrong.
    </EmptyState>
  </>
)

/** Straight to the entry; there is at most one. */
const SingleEntry = ({ type }: { type: ContentType }) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const query = useQuery(entriesQuery({ type: type.name, limit: 1 }))
  const path = contentPath(type.name)
  if (query.data) {
    const [entry] = query.data.items
    if (entry) return <Navigate to={`${path}/${entry.id}`} replace />
    if (may(me, 'content.write')) return <Navigate to={`${path}/new`} replace />
    return (
      <EmptyState icon={<PanelsTopLeft />} title={`${type.label} hasn't been written yet`}>
        Ask someone who can write content to create it.
      </EmptyState>
    )
  }
  if (!query.error) return <SkeletonText lines={8} />
  return (
    <Crash title={`Couldn't load ${type.label}`} onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}
