import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { AppLink, LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { PanelsTopLeft, Plus } from 'lucide-react'
import { may } from '../allowed.tsx'
import { contentPath } from '../content-path.ts'
import { inSentence, TypeIcon } from '../type-icon.tsx'
import { typesQuery } from '../types/queries.ts'
import { pagePath } from '../visual/pages.ts'
import { dashboardQuery } from './queries.ts'

/** The content types with their entries, and a way to begin one of each. */
export const ContentPanel = ({ me }: { me: Me }) => {
  const { data: types, error, refetch } = useQuery(typesQuery)
  return (
    <Panel title="Content" flush>
      {types ? (
        <Types me={me} types={types.items} />
      ) : error ? (
        <ListError message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <div className="p-5">
          <SkeletonText lines={4} />
        </div>
      )}
    </Panel>
  )
}

const Types = ({ me, types }: { me: Me; types: readonly ContentType[] }) => {
  if (types.length === 0) return <NoTypes me={me} />
  return (
    <ul className="divide-y divide-line">
      {types.map((type) => (
        <TypeLine key={type.name} type={type} writes={may(me, 'content.write')} />
      ))}
    </ul>
  )
}

const TypeLine = ({ type, writes }: { type: ContentType; writes: boolean }) => {
  const { data, error } = useQuery(dashboardQuery)
  const count = data?.types.find((known) => known.type === type.name)
  const isCollection = type.kind === 'collection'
  return (
    <li className="flex h-11 items-center gap-1 pr-2">
      <AppLink
        to={contentPath(type.name)}
        className="flex h-full min-w-0 flex-1 items-center gap-2.5 pr-2 pl-5 text-ink text-sm outline-offset-[-2px] hover:bg-hover"
      >
        <TypeIcon type={type} className="size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1 truncate">{isCollection ? type.labelPlural : type.label}</span>
        {isCollection ? <Count total={count?.total} isUnknown={error !== null} /> : null}
      </AppLink>
      {writes && count && count.pageId !== null ? (
        <LinkButton to={pagePath(count.pageId)} variant="ghost" size="sm" icon={<PanelsTopLeft aria-hidden />}>
          Edit on the page
        </LinkButton>
      ) : null}
      {writes && isCollection ? (
        <AppLink
          to={`${contentPath(type.name)}/new`}
          aria-label={`New ${inSentence(type.label)}`}
          className={buttonClass('ghost', 'sm')}
        >
          <Plus aria-hidden />
          New
        </AppLink>
      ) : null}
    </li>
  )
}

const Count = ({ total, isUnknown }: { total: number | undefined; isUnknown: boolean }) => {
  if (total !== undefined) return <span className="text-muted tabular-nums">{formatNumber(total)}</span>
  return isUnknown ? <span className="text-faint">–</span> : <Skeleton className="w-6" />
}

const NoTypes = ({ me }: { me: Me }) =>
  may(me, 'types.manage') ? (
    <EmptyState
      drawing="shapes"
      title="No content types yet"
      action={
        <LinkButton to="/types/new" variant="primary" icon={<Plus />}>
          New content type
        </LinkButton>
      }
    >
      Content types define the fields of your entries. Start with articles or pages.
    </EmptyState>
  ) : (
    <EmptyState drawing="shapes" title="No content types yet">
      Ask an admin to create one.
    </EmptyState>
  )
