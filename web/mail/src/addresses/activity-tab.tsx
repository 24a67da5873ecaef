import type { Activity } from '@stoa/mail-model/activity.ts'
import type { Address } from '@stoa/mail-model/addresses.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { type UrlState, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError, NothingMatches } from '@stoa/ui/table/table-parts.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatDate, formatNumber } from '@stoa/ui/text/format.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Route } from 'lucide-react'
import { ActivityDialog } from './activity-dialog.tsx'
import { activityIcons } from './activity-icons.ts'
import { activityKinds, describeActivity, isShown, searchFor, type TraceFilter, titleOf } from './activity-words.ts'
import { activityQuery } from './queries.ts'

const directions = [
  { value: '', label: 'All directions' },
  { value: 'in', label: 'Incoming' },
  { value: 'out', label: 'Outgoing' },
]

/** "Where is my mail": everything that happened to mail of the address, and who signed in, for 30 days. */
export const ActivityTab = ({ address }: { address: Address }) => {
  const url = useUrlState()
  const filter = { search: url.get('q'), kind: url.get('kind'), direction: url.get('direction') }
  const query = useInfiniteQuery(activityQuery(address.id, searchFor(filter)))
  const read = query.data ? once(query.data.pages.flatMap(({ data }) => data)) : undefined
  const lines = read?.filter((line) => isShown(line, filter))
  const open = read?.find(({ id }) => id === url.get('event'))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Toolbar filter={filter} url={url} />
      <section
        aria-label="Activity"
        aria-busy={query.isPending}
        className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-sm"
      >
        {lines ? (
          <Lines lines={lines} filter={filter} url={url} address={address} more={query.hasNextPage} />
        ) : query.error ? (
          <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
        ) : (
          <Loading />
        )}
      </section>
      <Further
        shown={lines?.length ?? 0}
        read={read}
        total={query.data?.pages[0]?.total ?? 0}
        more={query.hasNextPage}
        loading={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
      {open ? (
        <ActivityDialog
          line={open}
          related={relatedTo(open, read ?? [])}
          address={address}
          onClose={() => url.set({ event: '' })}
        />
      ) : null}
    </div>
  )
}

/** A new line moves the others onto the next page: the same one may be read twice. */
const once = (lines: readonly Activity[]): readonly Activity[] => [
  ...new Map(lines.map((line) => [line.id, line])).values(),
]

/** Other events of the same mail, oldest first. */
const relatedTo = ({ message_id: id }: Activity, lines: readonly Activity[]): readonly Activity[] =>
  id === null ? [] : lines.filter((line) => line.message_id === id).toReversed()

const Toolbar = ({ filter, url }: { filter: TraceFilter; url: UrlState }) => (
  <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm">
    <UrlSearch label="Search sender, subject, ID, IP" value={filter.search} onSearch={(q) => url.set({ q })} />
    <Select
      aria-label="Type"
      className="max-w-44 phone:max-w-none phone:flex-1"
      value={filter.kind}
      options={activityKinds}
      onValue={(kind) => url.set({ kind })}
    />
    <Select
      aria-label="Direction"
      className="max-w-36 phone:max-w-none phone:flex-1"
      value={filter.direction}
      options={directions}
      onValue={(direction) => url.set({ direction })}
    />
  </div>
)

type LinesProps = {
  lines: readonly Activity[]
  filter: TraceFilter
  url: UrlState
  address: Address
  more: boolean
}

const Lines = ({ lines, filter, url, address, more }: LinesProps) => {
  const narrowed = filter.search !== '' || filter.kind !== '' || filter.direction !== ''
  if (lines.length === 0 && narrowed && more)
    return <p className="px-4 py-8 text-center text-muted text-sm">No matches in the latest activity.</p>
  if (lines.length === 0 && narrowed)
    return <NothingFound address={address} onClear={() => url.set({ q: '', kind: '', direction: '' })} />
  if (lines.length === 0) return <NothingYet address={address} />
  const days = [...Map.groupBy(lines, ({ created_at: at }) => new Date(at).toDateString())]
  return days.map(([day, members]) => (
    <div key={day}>
      <h3 className="border-line border-b bg-canvas px-4 py-1.5 font-medium text-faint text-xs">{dayName(day)}</h3>
      <ol className="divide-y divide-line border-line border-b last:border-b-0">
        {members.map((line) => (
          <Line key={line.id} line={line} own={address.email} onOpen={() => url.set({ event: line.id })} />
        ))}
      </ol>
    </div>
  ))
}

const marks = {
  live: 'text-live-mark',
  failed: 'text-failed-mark',
  draft: 'text-draft-mark',
  scheduled: 'text-scheduled-mark',
  neutral: 'text-neutral-mark',
  accent: 'text-accent-ink',
}

const Line = ({ line, own, onOpen }: { line: Activity; own: string; onOpen: () => void }) => {
  const { tone, word, sentence } = describeActivity(line, own)
  const Icon = activityIcons[line.type]
  const title = titleOf(line)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full min-w-0 items-start gap-3 px-4 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-hover"
      >
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${marks[tone]}`} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex min-w-0 items-center gap-x-2 phone:flex-wrap">
            <span className="min-w-0 truncate font-medium text-ink phone:flex-1">{title}</span>
            {line.direction === null ? null : (
              <span className="flex shrink-0 phone:order-last phone:basis-full">
                <Badge tone={tone}>{word}</Badge>
              </span>
            )}
            <RelativeTime at={line.created_at} className="ml-auto shrink-0 text-faint text-xs tabular-nums" />
          </span>
          <span className="line-clamp-2 break-words text-muted">{sentence}</span>
        </span>
      </button>
    </li>
  )
}

const dayName = (day: string): string => {
  const now = new Date()
  if (day === now.toDateString()) return 'Today'
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return day === before.toDateString() ? 'Yesterday' : formatDate(new Date(day), now)
}

type FurtherProps = {
  shown: number
  read: readonly Activity[] | undefined
  total: number
  more: boolean
  loading: boolean
  onMore: () => void
}

/** How far back this goes, and a way on. */
const Further = ({ shown, read, total, more, loading, onMore }: FurtherProps) =>
  read === undefined || total === 0 ? null : (
    <div className="flex flex-wrap items-center justify-between gap-2 text-muted text-sm tabular-nums">
      <span role="status">
        {formatNumber(shown)} shown{more ? `, ${formatNumber(read.length)} of ${formatNumber(total)} searched` : ''}
      </span>
      {more ? (
        <Button size="sm" loading={loading} onClick={onMore}>
          Load older activity
        </Button>
      ) : null}
    </div>
  )

const NothingFound = ({ address, onClear }: { address: Address; onClear: () => void }) => (
  <>
    <NothingMatches onClear={onClear} />
    <p className="-mt-8 text-balance px-6 pb-8 text-center text-faint text-xs">
      A message that isn't listed never reached this mailbox. It may have gone to{' '}
      <TextLink to={`/addresses/${address.id}?tab=names`}>another address</TextLink>, or been rejected before it got
      here. The sender will have received an error with the reason.
    </p>
  </>
)

const NothingYet = ({ address }: { address: Address }) => (
  <EmptyState icon={<Route />} title="No activity yet">
    Incoming, outgoing and rejected mail, and sign-ins, are shown here for 30 days. Send a message to {address.email}.
    If it doesn't arrive, check the <TextLink to={`/domains/${address.domain_id}`}>DNS records</TextLink> of the domain.
  </EmptyState>
)

const Loading = () => (
  <div role="status" className="flex flex-col divide-y divide-line">
    <span className="sr-only">Loading activity</span>
    {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5', 'w-2/5'].map((width) => (
      <div key={width} className="flex items-center gap-3 px-4 py-3">
        <Skeleton className="size-4" />
        <span className="flex flex-1 flex-col gap-2">
          <Skeleton className={width} />
          <Skeleton className="w-1/4" />
        </span>
      </div>
    ))}
  </div>
)
