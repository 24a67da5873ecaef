import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { may } from '../allowed.tsx'
import { sendSignedIn } from '../api.ts'
import { pagerOf } from '../list-pages.ts'
import { everybodyQuery } from '../people/queries.ts'
import { meQuery } from '../queries.ts'
import { type ActivityGroup, groupActivity } from './groups.ts'
import { ActivitySentence, ActivityTarget, MOST_NAMED } from './sentence.tsx'
import { actionChoices, kindChoices, memberWords, verbOf } from './words.ts'

const columnsFor = (me: Me): readonly [Column<ActivityGroup>, ...Column<ActivityGroup>[]] => [
  {
    id: 'what',
    header: 'Activity',
    cell: (group) => (
      <div className="flex min-w-0 items-start gap-2.5">
        <Avatar name={group.actor.name} person={group.actor.id} size="sm" />
        <div className="min-w-0 flex-1">
          <ActivitySentence me={me} group={group} />
          <AllTargets me={me} group={group} />
        </div>
      </div>
    ),
  },
  {
    id: 'changed',
    header: 'Changed',
    hideOnPhone: true,
    isSpare: true,
    cell: (group) => (
      <span className="block max-w-60 truncate">{group.changed.map(memberWords).join(', ') || '–'}</span>
    ),
  },
  { id: 'at', header: 'When', lineOnPhone: true, cell: (group) => <RelativeTime at={group.at} /> },
]

/** The things of a group that the sentence only counts. */
const AllTargets = ({ me, group: { targets, action } }: { me: Me; group: ActivityGroup }) =>
  targets.length <= MOST_NAMED ? null : (
    <Disclosure
      summary={<span className="font-normal text-muted">Show all {formatNumber(targets.length)}</span>}
      className="mt-0.5"
    >
      <ul className="mt-1 flex flex-col gap-1 whitespace-normal break-words font-normal">
        {targets.map((target) => (
          <li key={target.id ?? target.label}>
            <ActivityTarget me={me} target={target} action={action} />
          </li>
        ))}
      </ul>
    </Disclosure>
  )

/** The activity log. */
export const ActivityScreen = () => {
  const url = useUrlState()
  const filter = {
    actor: url.get('actor'),
    action: url.get('action'),
    targetKind: url.get('kind'),
    page: readPage(url.get('page')),
  }
  const { data: me } = useSuspenseQuery(meQuery)
  const query = useQuery(activityQuery(filter))
  const groups = useMemo(() => query.data && groupActivity(query.data.items), [query.data])
  const narrowed = filter.actor !== '' || filter.action !== '' || filter.targetKind !== ''
  return (
    <>
      <title>Activity · Stoa CMS</title>
      <PageHeader title="Activity" description="Who changed what, newest first" />
      <DataTable
        label="Activity"
        columns={columnsFor(me)}
        state={listState({ data: groups, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(group) => group.id}
        rowName={({ actor, action, targets }) => `${actor.name} ${verbOf(action)} ${targets[0]?.label ?? ''}`}
        toolbar={<Filters />}
        onClearFilters={narrowed ? () => url.set({ actor: '', action: '', kind: '', page: '' }) : undefined}
        empty={
          <EmptyState drawing="people" title="No activity yet">
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
      className="max-w-48 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
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

/** The largest page of the service: actions that belong together are seldom split across pages. */
const ACTIVITY_PER_PAGE = 100

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
