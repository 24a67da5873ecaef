import { Badge } from '@stoa/ui/badge.tsx'
import { formatNumber } from '@stoa/ui/format.ts'
import type { ReactNode } from 'react'
import { type Failure, failureWords, percentOf, type Source } from './figures.ts'

/** The busiest are enough to act on. */
const MAX_SHOWN = 25

/** Who sent in the name of the domain, and whether it was allowed to. */
export const SourceTable = ({ sources }: { sources: readonly Source[] }) => (
  <Table
    caption="Sending servers"
    heads={['Server', 'Mails', 'DKIM', 'SPF', 'Result']}
    more={sources.length - MAX_SHOWN}
  >
    {sources.slice(0, MAX_SHOWN).map((source) => (
      <tr key={source.ip} className="align-top">
        <Cell>
          <span className="break-all font-mono text-ink text-xs">{source.ip}</span>
          {source.from === '' ? null : <p className="break-all text-faint text-xs">{source.from}</p>}
        </Cell>
        <Cell end>{formatNumber(source.count)}</Cell>
        <Cell end>{percentOf(source.dkim, source.count)}</Cell>
        <Cell end>{percentOf(source.spf, source.count)}</Cell>
        <Cell>
          {source.passed === source.count ? (
            <Badge tone="live">Passed</Badge>
          ) : (
            <Badge tone="failed">{formatNumber(source.count - source.passed)} failed</Badge>
          )}
          {source.refused > 0 ? (
            <p className="text-faint text-xs">{formatNumber(source.refused)} put into spam or refused</p>
          ) : null}
        </Cell>
      </tr>
    ))}
  </Table>
)

export const FailureTable = ({ failures }: { failures: readonly Failure[] }) =>
  failures.length === 0 ? (
    <p className="text-muted text-sm">No failures were reported.</p>
  ) : (
    <Table caption="Failures" heads={['Reason', 'Deliveries', 'Our host']} more={failures.length - MAX_SHOWN}>
      {failures.slice(0, MAX_SHOWN).map((failure) => (
        <tr key={failure.reason} className="align-top">
          <Cell>
            <span className="text-ink">{failureWords[failure.reason] ?? failure.reason}</span>
            <p className="break-all font-mono text-faint text-xs">{failure.reason}</p>
          </Cell>
          <Cell end>{formatNumber(failure.count)}</Cell>
          <Cell>
            <span className="break-all">{failure.hosts.join(', ') || '–'}</span>
            {failure.senders.length === 0 ? null : (
              <p className="break-all text-faint text-xs">from {failure.senders.slice(0, 3).join(', ')}</p>
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  )

type TableProps = { caption: string; heads: readonly string[]; more: number; children: ReactNode }

const Table = ({ caption, heads, more, children }: TableProps) => (
  <div className="min-w-0 overflow-x-auto">
    <table className="w-full border-collapse text-left text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-line border-b text-faint text-xs">
          {heads.map((head) => (
            <th key={head} scope="col" className="whitespace-nowrap px-3 py-2 font-medium first:pl-0">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
    {more > 0 ? <p className="pt-2 text-faint text-xs">and {formatNumber(more)} more with fewer</p> : null}
  </div>
)

const Cell = ({ end = false, children }: { end?: boolean; children: ReactNode }) => (
  <td className={`px-3 py-2 text-muted first:pl-0 ${end ? 'tabular-nums' : ''}`}>{children}</td>
)
