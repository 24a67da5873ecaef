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
  {
    name: 'security',
    label: 'Security',
    help: 'New sign-ins, and changes to your password, email address or two-factor authentication.',
  },
  { name: 'domain_status', label: 'Domains', help: 'When a domain is verified or its DNS records stop working.' },
  { name: 'quota_warnings', label: 'Limits', help: 'When storage or sending gets close to a limit.' },
  { name: 'billing', label: 'Billing', help: 'Invoices, failed payments and plan changes.' },
  { name: 'webhook_failures', label: 'Webhooks', help: 'When an endpoint keeps failing or is turned off.' },
  { name: 'transfer_results', label: 'Transfers', help: 'When a mail transfer ends.' },
  { name: 'product_updates', label: 'News', help: 'New features and improvements.' },
  { name: 'weekly_summary', label: 'Weekly summary', help: 'Mail received and sent, every Monday.' },
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
      toast({ tone: 'danger', title: "Couldn't save", description: messageOf(error) })
    },
  })
  return (
    <Panel title="Notifications" description={`Sent to ${me.email}.`}>
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
