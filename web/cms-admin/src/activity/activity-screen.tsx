import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { may } from '../allowed.tsx'
import { sendSignedIn } from '../api.ts'
import { pagerOf } from '../list-pages.ts'
import { everybodyQuery } from '../people/queries.ts'
import { meQuery } from '../queries.ts'
import { actionChoices, kindChoices, kindOf, targetScreen, verbOf } from './words.ts'

const vias = { session: '', agent: 'Agent', system: 'System', assistant: 'Assistant', plugin: 'Plugin' } as const

const columns: readonly [Column<ActivityRecord>, ...Column<ActivityRecord>[]] = [
  {
    id: 'what',
    header: 'Item',
    cell: (record) => (
      <span className="flex min-w-0 items-baseline gap-2.5">
        <Avatar name={record.actor.name} person={record.actor.id} size="sm" />
        <Sentence record={record} />
      </span>
    ),
  },
  {
    id: 'changed',
    header: 'Changed',
    cell: (record) => <span className="block max-w-60 truncate">{record.changed.join(', ') || '–'}</span>,
  },
  { id: 'at', header: 'When', cell: (record) => <RelativeTime at={record.at} /> },
]

/** There is one of each: the kind names it. */
const NAMELESS = ['settings', 'trash', 'visitor']

const Sentence = ({ record }: { record: ActivityRecord }) => {
  const { actor, action, target, via } = record
  const { data: me } = useSuspenseQuery(meQuery)
  const screen = targetScreen(target, action)
  const to = screen && may(me, screen.permission) ? screen.to : undefined
  const label = target.label === '' || NAMELESS.includes(target.kind) ? '' : `“${target.label}”`
  return (
    <span className="block min-w-0 whitespace-normal break-words font-normal">
      <span className="font-medium">{actor.name}</span>{' '}
      {vias[via] === '' ? null : (
        <>
          <Badge>{vias[via]}</Badge>{' '}
        </>
      )}
      <span className="text-muted">
        {verbOf(action)} {kindOf(target.kind)}
      </span>{' '}
      {label === '' ? null : to === undefined ? <span>{label}</span> : <TextLink to={to}>{label}</TextLink>}
    </span>
  )
}

/** Who did what. */
export const ActivityScreen = () => {
  const url = useUrlState()
  const filter = {
    actor: url.get('actor'),
    action: url.get('action'),
    targetKind: url.get('kind'),
    page: readPage(url.get('page')),
  }
  const query = useQuery(activityQuery(filter))
  const narrowed = filter.actor !== '' || filter.action !== '' || filter.targetKind !== ''
  return (
    <>
      <title>Activity · Stoa CMS</title>
      <PageHeader title="Activity" description="Who changed what, newest first" />
      <DataTable
        label="Activity"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(record) => record.id}
        rowName={(record) => `${record.actor.name} ${verbOf(record.action)} ${record.target.label}`}
        toolbar={<Filters />}
        onClearFilters={narrowed ? () => url.set({ actor: '', action: '', kind: '', page: '' }) : undefined}
        empty={
          <EmptyState icon={<Activity />} title="No activity yet">
            Changes to content, people, keys and settings will show up here.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, turnIn(url)) } : {})}
      />
    </>
  )
}

const Filters = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const url = useUrlState()
  const managesPeople = may(me, 'users.manage')
  const { data: people } = useQuery({ ...everybodyQuery, enabled: managesPeople })
  const others = people?.items.filter(({ id }) => id !== me.id) ?? []
  const choose = (name: string, all: string, options: readonly SelectOption[]) => (
    <Select
      aria-label={all}
      className="max-w-48 phone:max-w-none"
      value={url.get(name)}
      options={[{ value: '', label: all }, ...options]}
      onValue={(value) => url.set({ [name]: value, page: '' })}
    />
  )
  return (
    <>
      {choose('actor', 'Everyone', [
        { value: me.id, label: 'Me' },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {choose('action', 'All actions', actionChoices(url.get('action')))}
      {choose('kind', 'All items', kindChoices(managesPeople))}
    </>
  )
}

const ACTIVITY_PER_PAGE = 50

type ActivityFilter = { actor: string; action: string; targetKind: string; page: number }

const activityQuery = ({ page, ...filter }: ActivityFilter) =>
  queryOptions({
    queryKey: ['activity', { ...filter, page }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(page), limit: String(ACTIVITY_PER_PAGE) })
      for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value)
      return sendSignedIn<List<ActivityRecord>>('GET', `/api/activity?${query}`, { signal })
    },
    placeholderData: (before) => before,
    // What just happened elsewhere belongs on top
    staleTime: 0,
  })
