import { Badge } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { ListSection } from '@stoa/ui/list-section.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CreditCard, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { checkOutMethod, makeDefault, type PaymentMethod, paymentMethodsQuery, removeMethod } from './queries.ts'

const kinds: Record<PaymentMethod['type'], string> = {
  card: 'Card',
  sepa_debit: 'SEPA debit',
  paypal: 'PayPal',
  link: 'Link',
}

const nameOf = ({ type, brand, last4 }: PaymentMethod): string =>
  [brand ?? kinds[type], ...(last4 === null ? [] : [`ending in ${last4}`])].join(' ')

const columns: readonly [Column<PaymentMethod>, ...Column<PaymentMethod>[]] = [
  {
    id: 'name',
    header: 'Payment method',
    cell: (method) => (
      <span className="inline-flex items-center gap-2">
        {nameOf(method)}
        {method.is_default ? <Badge tone="live">Default</Badge> : null}
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'Good until',
    cell: ({ exp_month: month, exp_year: year }) =>
      month === null || year === null ? '–' : `${String(month).padStart(2, '0')}/${year}`,
  },
  { id: 'created_at', header: 'Added', cell: (method) => <RelativeTime at={method.created_at} /> },
]

/** How the plan is paid for; numbers are typed on the provider's page, never here. */
export const MethodsPanel = () => {
  const queryClient = useQueryClient()
  const query = useQuery(paymentMethodsQuery)
  const [removing, setRemoving] = useState<PaymentMethod>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['billing', 'payment-methods'] })
  const fail = (error: unknown) => toast({ tone: 'danger', title: 'That did not work', description: messageOf(error) })
  const choose = useMutation({ mutationFn: (id: string) => makeDefault(id), onSuccess: refresh, onError: fail })
  const add = useMutation({
    mutationFn: checkOutMethod,
    onSuccess: ({ url }) => location.assign(url),
    onError: fail,
  })
  const addButton = (
    <Button icon={<Plus />} loading={add.isPending} onClick={() => add.mutate()}>
      Add a payment method
    </Button>
  )
  return (
    <ListSection title="Payment methods" actions={query.data?.data.length ? addButton : undefined}>
      <DataTable
        label="Payment methods"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={nameOf}
        rowActions={(method) => [
          ...(method.is_default
            ? []
            : [{ label: 'Make it the default', icon: <Star />, onRun: () => choose.mutate(method.id) }]),
          { label: 'Remove', icon: <Trash2 />, danger: true, onRun: () => setRemoving(method) },
        ]}
        empty={
          <EmptyState icon={<CreditCard />} title="No payment method yet" action={addButton}>
            One is needed for a plan that costs something.
          </EmptyState>
        }
      />
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={() => setRemoving(undefined)}
        title={`Remove ${removing ? nameOf(removing) : ''}?`}
        consequence="Nothing is charged to it any more."
        confirmLabel="Remove"
        onConfirm={async () => {
          if (removing) await removeMethod(removing.id)
          await refresh()
        }}
      />
    </ListSection>
  )
}
