import { Status, type Tone } from '@stoa/ui/badge.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { ListSection } from '@stoa/ui/list-section.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { readPage, useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery } from '@tanstack/react-query'
import { Receipt } from 'lucide-react'
import { pagerOf } from '../list-url.ts'
import { formatMoney } from './money.ts'
import { type Transaction, transactionsQuery } from './queries.ts'

const states: Record<Transaction['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'scheduled', label: 'Pending' },
  paid: { tone: 'live', label: 'Paid' },
  failed: { tone: 'failed', label: 'Failed' },
  refunded: { tone: 'neutral', label: 'Refunded' },
  void: { tone: 'neutral', label: 'Void' },
}

const columns: readonly [Column<Transaction>, ...Column<Transaction>[]] = [
  {
    id: 'number',
    header: 'Invoice',
    cell: ({ number, description }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{number ?? description ?? 'Without a number'}</span>
        {number === null || description === null ? null : (
          <span className="truncate font-normal text-faint text-xs">{description}</span>
        )}
      </span>
    ),
  },
  { id: 'created_at', header: 'When', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  {
    id: 'status',
    header: 'State',
    cell: ({ status }) => <Status tone={states[status].tone}>{states[status].label}</Status>,
  },
  {
    id: 'amount_cents',
    header: 'Amount',
    align: 'end',
    cell: ({ amount_cents: cents, currency }) => formatMoney(cents, currency),
  },
  {
    id: 'invoice',
    header: 'Document',
    cell: ({ invoice_url: url }) =>
      url === null ? (
        '–'
      ) : (
        <a href={url} target="_blank" rel="noreferrer" className="text-accent-ink underline underline-offset-2">
          Open
        </a>
      ),
  },
]

/** What was paid. */
export const TransactionsPanel = () => {
  const url = useUrlState()
  const page = readPage(url.get('page'))
  const query = useQuery(transactionsQuery(page))
  const { data } = query
  return (
    <ListSection title="Invoices and payments">
      <DataTable
        label="Invoices and payments"
        columns={columns}
        state={listState({ data: data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ number, description }) => number ?? description ?? 'Payment'}
        empty={
          <EmptyState icon={<Receipt />} title="Nothing was charged">
            Invoices and refunds of your plan appear here.
          </EmptyState>
        }
        {...(data ? { pager: pagerOf(data, url) } : {})}
      />
    </ListSection>
  )
}
