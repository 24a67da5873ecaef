import type { TraceLine } from '@stoa/mail-model/trace.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { readPage, type UrlState, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { INSTEAD_OF_SPARE } from '@stoa/ui/table/table-rows.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw, Route } from 'lucide-react'
import { activityKinds, describeActivity, reasonOf, titleOf } from '../addresses/activity-words.ts'
import { AddressSelect } from '../addresses/address-select.tsx'
import { domainChoicesQuery } from '../emails/queries.ts'
import { pagerOf } from '../list-url.ts'
import { type TraceFilter, traceQuery } from './queries.ts'

const ways = [
  { value: '', label: 'All directions' },
  { value: 'in', label: 'Incoming' },
  { value: 'out', label: 'Outgoing' },
]

const times = [
  { value: '', label: 'Last 30 days' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
]

/** The service filters by one type: groups of them are for single addresses. */
const kinds = activityKinds.filter(({ value }) => value !== 'mail' && value !== 'problems')

const NO_FILTERS = { q: '', domain: '', address: '', type: '', direction: '', hours: '', page: '' }

const filterOf = (url: UrlState): TraceFilter => ({
  search: url.get('q'),
  domain_id: url.get('domain'),
  address_id: url.get('address'),
  type: url.get('type'),
  direction: url.get('direction'),
  hours: times.some(({ value }) => value === url.get('hours')) ? url.get('hours') : '',
})

const columns: readonly [Column<TraceLine>, ...Column<TraceLine>[]] = [
  {
    id: 'mail',
    header: 'Mail',
    cell: (line) => (
      <>
        <span className="block min-w-0 truncate font-medium text-ink">
          {line.result === 'no_such_mailbox' ? 'Unknown recipient' : titleOf(line)}
        </span>
        {line.result === null || line.result === '' ? null : (
          <span className={cx(INSTEAD_OF_SPARE, 'truncate font-normal text-muted text-xs')} title={line.result}>
            {shownLine(reasonOf(line.result))}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'type',
    header: 'Status',
    cell: (line) => {
      const { tone, word } = describeActivity(line, '')
      return (
        <Badge tone={tone}>
          {word}
          {line.count > 1 ? ` × ${formatNumber(line.count)}` : ''}
        </Badge>
      )
    },
  },
  { id: 'from', header: 'From', isSpare: true, cell: ({ from }) => <Address text={from} /> },
  {
    id: 'to',
    header: 'To',
    cell: (line) => (
      <>
        <Address text={line.to ?? othersOf(line)} />
        {line.from === null ? null : (
          <span className={cx(INSTEAD_OF_SPARE, 'max-w-56 truncate text-faint text-xs')} title={line.from}>
            from {shownAddress(line.from)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'result',
    header: 'Reason',
    isSpare: true,
    cell: ({ result }) =>
      result === null || result === '' ? (
        '–'
      ) : (
        <span title={result} className="block truncate desk:max-w-44 @min-[80rem]:max-w-96 phone:whitespace-normal">
          {shownLine(reasonOf(result))}
        </span>
      ),
  },
  { id: 'created_at', header: 'Time', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
]

/** A minute with very many unknown recipients has one line for most of them. */
const othersOf = ({ result }: TraceLine): string | null => (result === 'no_such_mailbox' ? 'Other recipients' : null)

const Address = ({ text }: { text: string | null }) => (
  <span className="block min-w-0 truncate desk:max-w-44 @min-[80rem]:max-w-72" title={text ?? ''}>
    {text === null ? '–' : shownAddress(text)}
  </span>
)

const shownAddress = (text: string): string => shownLine(text) || 'Empty sender'

/** "Where is my mail", over all addresses of the account. */
export const TraceScreen = () => {
  const url = useUrlState()
  const filter = filterOf(url)
  const query = useQuery(traceQuery(filter, readPage(url.get('page'))))
  const isNarrowed = Object.keys(NO_FILTERS).some((name) => name !== 'page' && url.get(name) !== '')
  return (
    <>
      <title>Mail trace · Stoa Mail</title>
      <PageHeader
        title="Mail trace"
        description="Find out what happened to a message. Entries are kept for 30 days."
        actions={
          <Button icon={<RotateCw />} loading={query.isFetching} onClick={() => void query.refetch()}>
            Refresh
          </Button>
        }
      />
      <DataTable
        label="Mail trace"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={(line) => titleOf(line)}
        toolbar={<Toolbar url={url} filter={filter} />}
        onClearFilters={isNarrowed ? () => url.set(NO_FILTERS) : undefined}
        empty={
          <EmptyState icon={<Route />} title="No mail yet">
            Incoming, outgoing and rejected messages appear here, for all your addresses.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
    </>
  )
}

const Toolbar = ({ url, filter }: { url: UrlState; filter: TraceFilter }) => {
  const { data } = useQuery(domainChoicesQuery)
  const domains = (data?.data ?? []).map(({ id, unicode_name: label }) => ({ value: id, label }))
  const unknown = filter.domain_id !== '' && !domains.some(({ value }) => value === filter.domain_id)
  return (
    <>
      <UrlSearch label="Search mail" value={filter.search} onSearch={(q) => url.set({ q, page: '' })} />
      <Select
        aria-label="Domain"
        className="max-w-40 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
        value={filter.domain_id}
        options={[
          { value: '', label: 'All domains' },
          ...(unknown ? [{ value: filter.domain_id, label: '…' }] : []),
          ...domains,
        ]}
        onValue={(domain) => url.set({ domain, address: '', page: '' })}
      />
      <AddressSelect
        aria-label="Address"
        className="max-w-40 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
        value={filter.address_id}
        none="All addresses"
        {...(filter.domain_id === '' ? {} : { domainId: filter.domain_id })}
        onValue={(address) => url.set({ address, page: '' })}
      />
      <Select
        aria-label="Status"
        className="max-w-36 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
        value={filter.type}
        options={kinds}
        onValue={(type) => url.set({ type, page: '' })}
      />
      <Select
        aria-label="Direction"
        className="max-w-32 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
        value={filter.direction}
        options={ways}
        onValue={(direction) => url.set({ direction, page: '' })}
      />
      <Select
        aria-label="Time"
        className="max-w-36 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
        value={filter.hours}
        options={times}
        onValue={(hours) => url.set({ hours, page: '' })}
      />
    </>
  )
}
