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

const tones: Record<Transaction['status'], Tone> = {
  pending: 'scheduled',
  paid: 'live',
  failed: 'failed',
  refunded: 'neutral',
  void: 'neutral',
}

const columns: readonly [Column<Transaction>, ...Column<Transaction>[]] = [
  { id: 'number', header: 'Invoice', cell: ({ number, description }) => number ?? description ?? 'Without a number' },
  { id: 'created_at', header: 'When', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  { id: 'status', header: 'State', cell: ({ status }) => <Status tone={tones[status]}>{status}</Status> },
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
      url === null ? null : (
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
