import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatDate } from '@stoa/ui/text/format.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { OverAfterChange } from './over-after-change.tsx'
import { cancelSubscription, refreshBilling } from './queries.ts'

type CancelDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  plan: Plan
  subscription: Subscription
  plans: readonly Plan[]
  entitlement: Entitlement
}

/** Says when the plan ends and what stays, then cancels. It can be undone until that day. */
export const CancelDialog = ({ open, onOpenChange, plan, subscription, plans, entitlement }: CancelDialogProps) => {
  const queryClient = useQueryClient()
  const keep = useRef<HTMLButtonElement>(null)
  const cancel = useMutation({
    mutationFn: cancelSubscription,
    onSuccess: async () => {
      await refreshBilling(queryClient)
      onOpenChange(false)
      toast({ tone: 'success', title: `${plan.name} canceled`, description: `You can undo this until ${end}.` })
    },
  })
  const end = formatDate(new Date(subscription.current_period_end), new Date())
  const free = plans.find(({ price_cents: price }) => price === 0)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      role="alertdialog"
      size="sm"
      dismissible={!cancel.isPending}
      initialFocus={keep}
      title={`Cancel ${plan.name}?`}
      description={`You keep ${plan.name} until ${end} and pay nothing more. You can undo this until then.`}
      footer={
        <>
          <Button ref={keep} disabled={cancel.isPending} onClick={() => onOpenChange(false)}>
            Keep {plan.name}
          </Button>
          <Button variant="danger" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel plan
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {cancel.error ? <Notice tone="danger">{messageOf(cancel.error)}</Notice> : null}
        <p className="text-muted">
          After {end} the limits of {free?.name ?? 'the free plan'} apply. Your mail stays, and new mail keeps arriving.
        </p>
        {free ? <OverAfterChange plan={free} entitlement={entitlement} /> : null}
      </div>
    </Dialog>
  )
}
