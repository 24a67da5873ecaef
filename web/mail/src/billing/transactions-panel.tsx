import { Status, type Tone } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatDate } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Receipt } from 'lucide-react'
import { pagerOf } from '../list-url.ts'
import { formatAmount } from './money.ts'
import { isOpenInvoice, type Transaction, transactionsQuery } from './queries.ts'

const states: Record<Transaction['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'scheduled', label: 'Open' },
  paid: { tone: 'live', label: 'Paid' },
  failed: { tone: 'failed', label: 'Payment failed' },
  refunded: { tone: 'neutral', label: 'Refunded' },
  void: { tone: 'neutral', label: 'Void' },
}

const kinds: Record<Transaction['type'], string> = { charge: 'Invoice', refund: 'Refund', credit: 'Credit' }
const nameOf = ({ type, number }: Transaction): string => [kinds[type], number].filter(Boolean).join(' ')

const columns: readonly [Column<Transaction>, ...Column<Transaction>[]] = [
  {
    id: 'number',
    header: 'Invoice',
    cell: (transaction) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{transaction.number ?? kinds[transaction.type]}</span>
        {transaction.description === null ? null : (
          <span className="truncate font-normal text-faint text-xs">{transaction.description}</span>
        )}
      </span>
    ),
  },
  { id: 'created_at', header: 'Date', cell: ({ created_at: at }) => formatDate(new Date(at), new Date()) },
  {
    id: 'status',
    header: 'Status',
    cell: ({ type, status }) =>
      type === 'charge' ? <Status tone={states[status].tone}>{states[status].label}</Status> : kinds[type],
  },
  { id: 'amount_cents', header: 'Amount', align: 'end', cell: (transaction) => <Amount transaction={transaction} /> },
  { id: 'invoice', header: 'Document', align: 'end', cell: (transaction) => <Document transaction={transaction} /> },
]

const Amount = ({
  transaction: { type, amount_cents: cents, tax_cents: tax, currency },
}: {
  transaction: Transaction
}) => (
  <span className="flex flex-col">
    {formatAmount(type === 'charge' ? cents : -Math.abs(cents), currency)}
    {tax === 0 ? null : <span className="text-faint text-xs">incl. {formatAmount(tax, currency)} tax</span>}
  </span>
)

const Document = ({ transaction }: { transaction: Transaction }) =>
  transaction.invoice_url === null ? (
    '–'
  ) : (
    <a
      href={transaction.invoice_url}
      target="_blank"
      rel="noreferrer"
      aria-label={`${isOpenInvoice(transaction) ? 'Pay' : 'Download'} ${nameOf(transaction)}`}
      className="inline-flex items-center gap-1 text-accent-ink underline decoration-accent-line underline-offset-2 hover:decoration-current touch:py-1"
    >
      {isOpenInvoice(transaction) ? 'Pay' : 'Download'}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )

/** Everything that was charged, paid back or credited. */
export const TransactionsPanel = () => {
  const url = useUrlState()
  const page = readPage(url.get('page'))
  const query = useQuery(transactionsQuery(page))
  const { data } = query
  return (
    <ListSection title="Invoices">
      <DataTable
        label="Invoices"
        columns={columns}
        state={listState({ data: data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={nameOf}
        empty={
          <EmptyState icon={<Receipt />} title="No invoices yet" className="py-8!">
            Invoices, refunds and credits of your plan appear here.
          </EmptyState>
        }
        {...(data ? { pager: pagerOf(data, url) } : {})}
      />
    </ListSection>
  )
}
