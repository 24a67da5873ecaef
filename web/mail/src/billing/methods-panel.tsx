import type { Entitlement } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CreditCard, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { methodName } from './method-name.ts'
import { makeDefault, type PaymentMethod, paymentMethodsQuery, removeMethod } from './queries.ts'
import { runningOf } from './standing.ts'
import { useAddMethod } from './use-add-method.ts'

const columns: readonly [Column<PaymentMethod>, ...Column<PaymentMethod>[]] = [
  {
    id: 'name',
    header: 'Payment method',
    cell: (method) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <CreditCard aria-hidden className="size-4 text-faint" />
        {methodName(method)}
        {method.is_default ? <Badge tone="live">Default</Badge> : null}
      </span>
    ),
  },
  { id: 'expires', header: 'Expires', cell: (method) => <Expiry method={method} /> },
]

const Expiry = ({ method: { exp_month: month, exp_year: year } }: { method: PaymentMethod }) => {
  if (month === null || year === null) return '–'
  const text = `${String(month).padStart(2, '0')}/${year}`
  // A card is good until the last day of its month
  const isOver = new Date(year, month, 1) <= new Date()
  return isOver ? <span className="text-failed-ink">{text} (expired)</span> : text
}

/** How the plan is paid for; numbers are typed on the provider's page, never here. */
export const MethodsPanel = ({ entitlement }: { entitlement: Entitlement }) => {
  const queryClient = useQueryClient()
  const query = useQuery(paymentMethodsQuery)
  const [removing, setRemoving] = useState<PaymentMethod>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['billing', 'payment-methods'] })
  const add = useAddMethod()
  const choose = useMutation({
    mutationFn: ({ id }: PaymentMethod) => makeDefault(id),
    onSuccess: async (method) => {
      await refresh()
      toast({ tone: 'success', title: 'Default payment method changed', description: methodName(method) })
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't change the default", description: messageOf(error) }),
  })
  const addButton = (
    <Button icon={<Plus />} loading={add.isPending} onClick={() => add.mutate()}>
      Add payment method
    </Button>
  )
  return (
    <ListSection title="Payment methods" actions={query.data?.data.length ? addButton : undefined}>
      <DataTable
        label="Payment methods"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={methodName}
        rowActions={(method) => [
          ...(method.is_default ? [] : [{ label: 'Make default', icon: <Star />, onRun: () => choose.mutate(method) }]),
          { label: 'Remove', icon: <Trash2 />, danger: true, onRun: () => setRemoving(method) },
        ]}
        empty={
          <EmptyState icon={<CreditCard />} title="No payment method yet" action={addButton} className="py-8!">
            Add a card to pay for a plan. You enter its number on the payment provider's page.
          </EmptyState>
        }
      />
      {removing ? (
        <RemoveDialog
          method={removing}
          isNeeded={removing.is_default && runningOf(entitlement) !== null}
          onClose={() => setRemoving(undefined)}
          onRemoved={refresh}
        />
      ) : null}
    </ListSection>
  )
}

type RemoveDialogProps = {
  method: PaymentMethod
  /** The plan is paid with it. */
  isNeeded: boolean
  onClose: () => void
  onRemoved: () => Promise<unknown>
}

const RemoveDialog = ({ method, isNeeded, onClose, onRemoved }: RemoveDialogProps) => {
  const [isRefused, setRefused] = useState(isNeeded)
  if (isRefused) return <NeededDialog method={method} onClose={onClose} />
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${methodName(method)}?`}
      consequence="It won't be charged anymore."
      confirmLabel="Remove"
      onConfirm={async () => {
        try {
          await removeMethod(method.id)
        } catch (error) {
          if (!hasName(error, 'conflict')) throw error
          setRefused(true)
          return
        }
        await onRemoved()
        toast({ tone: 'success', title: 'Payment method removed', description: methodName(method) })
      }}
    />
  )
}

const NeededDialog = ({ method, onClose }: { method: PaymentMethod; onClose: () => void }) => {
  const add = useAddMethod()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`${methodName(method)} pays for your plan`}
      description="Make another payment method the default first, then remove this one. Or cancel your plan."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" loading={add.isPending} onClick={() => add.mutate()}>
            Add payment method
          </Button>
        </>
      }
    />
  )
}
