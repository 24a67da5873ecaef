import type { Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatDate } from '@stoa/ui/text/format.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshBilling, subscribe } from './queries.ts'

type PlanEndProps = { subscription: Subscription; plan: Plan; plans: readonly Plan[] }

/** The end of the plan, or the cheaper one that follows, with the way back. Nothing when it simply goes on. */
export const PlanEndNotice = ({ subscription, plan, plans }: PlanEndProps) => {
  const queryClient = useQueryClient()
  const keep = useMutation({
    mutationFn: () => subscribe(plan.id),
    onSuccess: async () => {
      await refreshBilling(queryClient)
      toast({ tone: 'success', title: `You're keeping ${plan.name}` })
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't change your plan", description: messageOf(error) }),
  })
  const next = plans.find(({ id }) => id === subscription.pending_plan_id)
  if (!subscription.cancel_at_period_end && !next) return null
  const end = formatDate(new Date(subscription.current_period_end), new Date())
  return (
    <Notice
      tone="warning"
      title={next && !subscription.cancel_at_period_end ? `Changes to ${next.name} on ${end}` : `Ends on ${end}`}
      action={
        <Button size="sm" loading={keep.isPending} onClick={() => keep.mutate()}>
          Keep {plan.name}
        </Button>
      }
    >
      {next && !subscription.cancel_at_period_end
        ? `You have everything in ${plan.name} until then.`
        : `Then the limits of the free plan apply. Your mail stays, and new mail keeps arriving.`}
    </Notice>
  )
}
