import type { Instance } from '@stoa/mail-model/instance.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'
import { formatAmount } from '../billing/money.ts'
import { useSellsPlans } from '../billing/queries.ts'
import { meQuery, signupsQuery } from '../queries.ts'
import { sendersApi } from '../senders/senders-api.ts'
import { SendersList } from '../senders/senders-list.tsx'
import { NotYours } from './not-yours.tsx'
import { instanceQuery, saveInstance, subscriptionsQuery } from './queries.ts'
import { SpamPanel } from './spam-panel.tsx'

const instanceSenders = sendersApi(sendSignedIn, '/api/instance/senders')

/** Settings of the owner for the whole instance. */
export const InstanceScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersScreen /> : <NotYours screen="Instance" />
}

const OwnersScreen = () => {
  const query = useQuery(instanceQuery)
  const sellsPlans = useSellsPlans()
  return (
    <>
      <title>Instance · Stoa Mail</title>
      <PageHeader title="Instance" description={`Settings for everyone on ${location.host}.`} />
      <div className="flex flex-col gap-6">
        <Panel title="New accounts">
          <QueryBoundary query={query} name="Instance" lines={3}>
            {(instance) => <SignUps instance={instance} />}
          </QueryBoundary>
        </Panel>
        {sellsPlans ? (
          <Panel
            title="Subscriptions"
            description="Plans, revenue and unpaid invoices."
            actions={<LinkButton to="/instance/subscriptions">View subscriptions</LinkButton>}
          >
            <Revenue />
          </Panel>
        ) : null}
        <QueryBoundary query={query} name="Spam protection" lines={6}>
          {(instance) => <SpamPanel instance={instance} />}
        </QueryBoundary>
        <SendersList
          api={instanceSenders}
          description="For every mailbox on this instance. Domains and mailboxes have their own lists, which take precedence. Mail from a blocked IP address or network is always rejected."
          allowLabel="Allow: never treat as junk"
          initialAction="block"
        />
        <Panel title="Server commands" description="Run these commands on the server.">
          <div className="flex flex-col gap-3">
            {COMMANDS.map(({ label, code }) => (
              <CodeBlock key={label} label={label} code={code} wrap />
            ))}
          </div>
        </Panel>
      </div>
    </>
  )
}

/** The few numbers of the subscriptions in a line. */
const Revenue = () => {
  const query = useQuery(subscriptionsQuery({ search: '', sort: 'created_at', direction: 'desc' }, 1))
  return (
    <QueryBoundary query={query} name="Subscriptions" lines={2}>
      {({ totals }) => (
        <Facts
          facts={[
            { label: 'Monthly revenue', value: formatAmount(totals.monthly_cents, totals.currency) },
            { label: 'Active subscriptions', value: formatNumber(totals.active) },
            { label: 'Payment due', value: formatNumber(totals.past_due) },
          ]}
        />
      )}
    </QueryBoundary>
  )
}

const COMMANDS = [
  { label: "Reset an account's password", code: 'npm run mail:account -- password person@example.com' },
  { label: 'Suspend an account', code: 'npm run mail:account -- suspend person@example.com' },
  { label: 'Resume an account', code: 'npm run mail:account -- resume person@example.com' },
  { label: 'Block a network', code: 'npm run mail:senders -- block 192.0.2.0/24' },
]

const SignUps = ({ instance }: { instance: Instance }) => {
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (open: boolean) => saveInstance({ signups: open ? 'open' : 'closed' }),
    onSuccess: (saved) => {
      queryClient.setQueryData(instanceQuery.queryKey, saved)
      void queryClient.invalidateQueries(signupsQuery)
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't save", description: messageOf(error) }),
  })
  return (
    <SwitchField
      label="Allow sign-ups"
      help="When off, nobody can create a new account."
      checked={instance.signups === 'open'}
      disabled={save.isPending}
      onChecked={(checked) => save.mutate(checked)}
    />
  )
}
