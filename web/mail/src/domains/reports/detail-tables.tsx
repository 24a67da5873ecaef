import { Badge } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Failure, failureWords, percentOf, type ReportSource } from './figures.ts'

/** The busiest are enough to act on. */
const MAX_SHOWN = 25

const sourceColumns: readonly [Column<ReportSource>, ...Column<ReportSource>[]] = [
  {
    id: 'ip',
    header: 'Server',
    cell: ({ ip, from }) => (
      <span className="flex min-w-0 flex-col">
        <span className="break-all font-mono font-normal text-xs">{ip}</span>
        {from === '' ? null : <span className="truncate font-normal text-faint text-xs">{from}</span>}
      </span>
    ),
  },
  { id: 'count', header: 'Messages', align: 'end', cell: ({ count }) => formatNumber(count) },
  { id: 'dkim', header: 'DKIM', align: 'end', cell: ({ dkim, count }) => percentOf(dkim, count) },
  { id: 'spf', header: 'SPF', align: 'end', cell: ({ spf, count }) => percentOf(spf, count) },
  { id: 'result', header: 'Result', cell: (source) => <SourceResult source={source} /> },
]

const SourceResult = ({ source: { count, passed, refused } }: { source: ReportSource }) => (
  <span className="flex min-w-0 flex-col items-start">
    {passed === count ? (
      <Badge tone="live">Passed</Badge>
    ) : (
      <Badge tone="failed">{formatNumber(count - passed)} failed</Badge>
    )}
    {refused > 0 ? <span className="text-faint text-xs">{formatNumber(refused)} sent to spam or rejected</span> : null}
  </span>
)

/** The servers that sent in the name of the domain, and whether they were allowed to. */
export const SourceTable = ({ sources }: { sources: readonly ReportSource[] }) => (
  <Shortened count={sources.length}>
    <DataTable
      label="Sending servers"
      columns={sourceColumns}
      state={{ status: 'ready', rows: sources.slice(0, MAX_SHOWN) }}
      rowKey={({ ip }) => ip}
      rowName={({ ip }) => ip}
      empty={<Nothing>No servers reported</Nothing>}
    />
  </Shortened>
)

const failureColumns: readonly [Column<Failure>, ...Column<Failure>[]] = [
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate phone:whitespace-normal">{failureWords[reason] ?? reason}</span>
        <code className="truncate font-mono font-normal text-faint text-xs">{reason}</code>
      </span>
    ),
  },
  { id: 'count', header: 'Deliveries', align: 'end', cell: ({ count }) => formatNumber(count) },
  {
    id: 'hosts',
    header: 'Our host',
    cell: ({ hosts, senders }) => (
      <span className="flex min-w-0 flex-col desk:max-w-80">
        <span title={hosts.join(', ')} className="truncate">
          {hosts.join(', ') || '–'}
        </span>
        {senders.length === 0 ? null : (
          <span className="truncate text-faint text-xs">from {senders.slice(0, 3).join(', ')}</span>
        )}
      </span>
    ),
  },
]

export const FailureTable = ({ failures }: { failures: readonly Failure[] }) => (
  <Shortened count={failures.length}>
    <DataTable
      label="Failures"
      columns={failureColumns}
      state={{ status: 'ready', rows: failures.slice(0, MAX_SHOWN) }}
      rowKey={({ reason }) => reason}
      rowName={({ reason }) => failureWords[reason] ?? reason}
      empty={<Nothing>No failures reported</Nothing>}
    />
  </Shortened>
)

const Nothing = ({ children }: { children: string }) => (
  <EmptyState icon={<CircleCheck />} title={children} className="py-8" />
)

const Shortened = ({ count, children }: { count: number; children: ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-2">
    {children}
    {count > MAX_SHOWN ? <p className="text-faint text-xs">and {formatNumber(count - MAX_SHOWN)} more</p> : null}
  </div>
)
