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
import { PanelsTopLeft, Plus, Shapes } from 'lucide-react'
import { may } from '../allowed.tsx'
import { contentPath } from '../content-path.ts'
import { entriesQuery } from '../entries/queries.ts'
import { inSentence, TypeIcon } from '../type-icon.tsx'
import { typesQuery } from '../types/queries.ts'
import { pagePath, useHasPages } from '../visual/pages.ts'
import { countQuery } from './queries.ts'

/** Each is a request: a site with more types has them in the navigation. */
const MAX_COUNTED = 12

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
      {types.map((type, index) => (
        <TypeLine key={type.name} type={type} counted={index < MAX_COUNTED} writes={may(me, 'content.write')} />
      ))}
    </ul>
  )
}

type TypeLineProps = { type: ContentType; counted: boolean; writes: boolean }

const TypeLine = ({ type, counted, writes }: TypeLineProps) => {
  const isCollection = type.kind === 'collection'
  return (
    <li className="flex h-11 items-center gap-1 pr-2">
      <AppLink
        to={contentPath(type.name)}
        className="flex h-full min-w-0 flex-1 items-center gap-2.5 pr-2 pl-5 text-ink text-sm outline-offset-[-2px] hover:bg-hover"
      >
        <TypeIcon type={type} className="size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1 truncate">{isCollection ? type.labelPlural : type.label}</span>
        {isCollection && counted ? <Count type={type.name} /> : null}
      </AppLink>
      {writes && !isCollection ? <PageOfSingle type={type.name} /> : null}
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

/** The one entry of a single type on its page, if there are both. */
const PageOfSingle = ({ type }: { type: string }) => {
  const hasPage = useHasPages()(type)
  const { data } = useQuery({ ...entriesQuery({ type, limit: 1 }), enabled: hasPage })
  const entry = data?.items[0]
  if (!hasPage || !entry) return null
  return (
    <LinkButton to={pagePath(entry.id)} variant="ghost" size="sm" icon={<PanelsTopLeft aria-hidden />}>
      Edit on the page
    </LinkButton>
  )
}

const Count = ({ type }: { type: string }) => {
  const { data, error } = useQuery(countQuery(type))
  if (data) return <span className="text-muted tabular-nums">{formatNumber(data.meta.total)}</span>
  return error ? <span className="text-faint">–</span> : <Skeleton className="w-6" />
}

const NoTypes = ({ me }: { me: Me }) =>
  may(me, 'types.manage') ? (
    <EmptyState
      icon={<Shapes />}
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
    <EmptyState icon={<Shapes />} title="No content types yet">
      Ask an admin to create one.
    </EmptyState>
  )
