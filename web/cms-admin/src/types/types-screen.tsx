import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable, type Sort } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useRouter } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { dashboardQuery } from '../dashboard/queries.ts'
import { pagerOf } from '../list-pages.ts'
import { TypeIcon } from '../type-icon.tsx'
import { typesPageQuery } from './queries.ts'
import { StartingPoints } from './starting-points-list.tsx'

const columns: readonly [Column<ContentType>, ...Column<ContentType>[]] = [
  {
    id: 'label',
    header: 'Type',
    sortable: true,
    cell: (type) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <TypeIcon type={type} className="size-4 shrink-0 text-faint" />
        <span className="flex min-w-0 flex-col">
          <span className="truncate">{type.label}</span>
          <code className="truncate font-mono font-normal text-faint text-xs">{type.name}</code>
        </span>
      </span>
    ),
  },
  {
    id: 'kind',
    header: 'Kind',
    lineOnPhone: true,
    cell: (type) => <Badge>{type.kind === 'single' ? 'Single' : 'Collection'}</Badge>,
  },
  {
    id: 'entries',
    header: 'Entries',
    hideOnPhone: true,
    align: 'end',
    cell: (type) => <EntryCount type={type.name} />,
  },
  { id: 'fields', header: 'Fields', hideOnPhone: true, align: 'end', cell: (type) => formatNumber(type.fields.length) },
  {
    id: 'address',
    header: 'Address',
    hideOnPhone: true,
    isSpare: true,
    cell: (type) =>
      type.previewUrl === null ? (
        <span className="text-faint">None</span>
      ) : (
        <code className="break-all font-mono text-xs">{type.previewUrl}</code>
      ),
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    sortable: true,
    lineOnPhone: true,
    cell: (type) => <RelativeTime at={type.updatedAt} />,
  },
]

/** Counted for all types at once, while the list is already there. */
const EntryCount = ({ type }: { type: string }) => {
  const { data } = useQuery(dashboardQuery)
  const count = data?.types.find((known) => known.type === type)
  return count ? formatNumber(count.total) : '…'
}

/** The list of content types. */
export const TypesScreen = () => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const router = useRouter()
  const sort = readSort(url.get('sort'))
  const page = readPage(url.get('page'))
  const q = url.get('q')
  const query = useQuery(typesPageQuery({ q, sort: `${sort.direction === 'desc' ? '-' : ''}${sort.by}`, page }))
  // The command menu opens this URL
  if (url.get('new')) return <Navigate to="/types/new" search={{}} replace />
  return (
    <>
      <title>Content types · Stoa CMS</title>
      <PageHeader
        title="Content types"
        description="Define your entries, such as articles or pages, and their fields"
        actions={
          <LinkButton to="/types/new" variant="primary" icon={<Plus />}>
            New type
          </LinkButton>
        }
      />
      <DataTable
        label="Content types"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(type) => type.name}
        rowName={(type) => type.label}
        rowTo={(type) => `/types/${type.name}`}
        rowActions={(type) => [
          { label: 'Open entries', onRun: () => navigateTo(`/content/${type.name}`) },
          { label: 'Edit', onRun: () => navigateTo(`/types/${type.name}`) },
        ]}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: `${direction === 'desc' ? '-' : ''}${by}`, page: '' })}
        toolbar={
          q === '' && query.data?.meta.total === 0 ? null : (
            <UrlSearch label="Search types" value={q} onSearch={(words) => url.set({ q: words, page: '' })} />
          )
        }
        onClearFilters={q === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={<NoTypes onChoose={(from) => void router.navigate({ to: '/types/new', search: { from } })} />}
        {...(query.data ? { pager: pagerOf(query.data, turnIn(url)) } : {})}
      />
    </>
  )
}

const readSort = (text: string): Sort => {
  const by = text.replace(/^-/, '') === 'updatedAt' ? 'updatedAt' : 'label'
  return { by, direction: text.startsWith('-') ? 'desc' : 'asc' }
}

const NO_TYPES: readonly ContentType[] = []

const NoTypes = ({ onChoose }: { onChoose: (id: string) => void }) => (
  <div className="flex flex-col items-center gap-5 px-6 py-10 text-center">
    <EmptyState drawing="shapes" title="No content types yet" className="p-0!">
      Content types define the fields of your entries. Start from a template and change what you like.
    </EmptyState>
    <div className="w-full">
      <StartingPoints types={NO_TYPES} onChoose={({ id }) => onChoose(id)} />
    </div>
    <LinkButton to="/types/new" icon={<Plus />}>
      Start from scratch
    </LinkButton>
  </div>
)
