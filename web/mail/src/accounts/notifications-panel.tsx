import type { Notifications, User } from '@stoa/mail-model/accounts.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSellsPlans } from '../billing/queries.ts'
import { meQuery } from '../queries.ts'
import { saveNotifications } from './queries.ts'

const KINDS: readonly { name: keyof Notifications; label: string; help: string }[] = [
  { name: 'security', label: 'Security', help: 'New sign-ins, a changed password or address, two-factor sign-in.' },
  { name: 'domain_status', label: 'Domains', help: 'A domain is verified, or its DNS records are wrong.' },
  { name: 'quota_warnings', label: 'Limits', help: 'Storage or sending nears what the plan allows.' },
  { name: 'billing', label: 'Billing', help: 'Invoices, failed payments, the end of a plan.' },
  { name: 'webhook_failures', label: 'Webhooks', help: 'An endpoint fails for long, or is switched off for that.' },
  { name: 'transfer_results', label: 'Transfers', help: 'A transfer of mail has ended.' },
  { name: 'product_updates', label: 'News', help: 'What is new in the product.' },
  { name: 'weekly_summary', label: 'Weekly summary', help: 'What came in and went out, every Monday.' },
]

/** Which mails about the account are sent. Each switch is saved at once, and goes back when that fails. */
export const NotificationsPanel = ({ me }: { me: User }) => {
  const queryClient = useQueryClient()
  const sellsPlans = useSellsPlans()
  const show = (notifications: Notifications) =>
    queryClient.setQueryData(meQuery.queryKey, (before) => before && { ...before, notifications })
  const save = useMutation({
    mutationFn: (change: Partial<Notifications>) => saveNotifications(change),
    onMutate: (change) => {
      show({ ...me.notifications, ...change })
      return me.notifications
    },
    onSuccess: ({ notifications }) => show(notifications),
    onError: (error, _change, before) => {
      if (before) show(before)
      toast({ tone: 'danger', title: 'Not saved', description: messageOf(error) })
    },
  })
  return (
    <Panel title="Notifications" description={`By mail to ${me.email}.`}>
      <div className="grid gap-x-10 gap-y-4 desk:grid-cols-2">
        {KINDS.filter(({ name }) => name !== 'billing' || sellsPlans).map(({ name, label, help }) => (
          <SwitchField
            key={name}
            label={label}
            help={help}
            checked={me.notifications[name]}
            onChecked={(checked) => save.mutate({ [name]: checked })}
          />
        ))}
      </div>
    </Panel>
  )
}
