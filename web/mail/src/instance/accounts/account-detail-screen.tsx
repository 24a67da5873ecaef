import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../../api.ts'
import { limitsOf } from '../../billing/limits.ts'
import { Gone } from '../../not-found-notice.tsx'
import { meQuery } from '../../queries.ts'
import { NotYours } from '../not-yours.tsx'
import { ResetSignIn, ResumeAccount, SuspendAccount } from './account-dialogs.tsx'
import { AccountStatus } from './accounts-screen.tsx'
import { LimitsPanel } from './limits-panel.tsx'
import { usePlanNames } from './plan-names.ts'
import { PlanPanel } from './plan-panel.tsx'
import { accountQuery } from './queries.ts'

/** One account as the owner of the instance sees it. */
export const AccountDetailScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersAccount ownId={me.id} /> : <NotYours screen="Accounts" />
}

const OwnersAccount = ({ ownId }: { ownId: string }) => {
  const { accountId = '' } = useParams({ strict: false })
  const query = useQuery(accountQuery(accountId))
  if (query.data) return <AccountView key={accountId} account={query.data} isOwn={accountId === ownId} />
  if (hasName(query.error, 'not_found'))
    return <Gone icon={<Users />} thing="account" to="/instance/accounts" list="accounts" />
  if (!query.error) return <ScreenSkeleton label="Loading account" />
  return (
    <Crash isScreen title="Couldn't load this account" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type Open = 'suspend' | 'resume' | 'reset'

const AccountView = ({ account, isOwn }: { account: InstanceAccount; isOwn: boolean }) => {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const planName = usePlanNames()
  return (
    <>
      <title>{`${account.email} · Accounts · Stoa Mail`}</title>
      <PageHeader
        crumbs={[{ label: 'Accounts', to: '/instance/accounts' }]}
        title={account.email}
        badge={<AccountStatus account={account} />}
        {...(account.name === null ? {} : { description: account.name })}
        actions={
          <>
            <Button onClick={() => setOpen('reset')}>Reset sign-in</Button>
            {account.suspended_at === null ? (
              <Button variant="danger" disabled={isOwn} onClick={() => setOpen('suspend')}>
                Suspend
              </Button>
            ) : (
              <Button variant="primary" onClick={() => setOpen('resume')}>
                Resume
              </Button>
            )}
          </>
        }
      />
      <div className="flex flex-col gap-6">
        {account.suspended_at === null ? null : (
          <Notice tone="warning" title="This account is suspended">
            It can receive and read mail, but not send any.
            {account.suspended_reason === null ? null : ` Reason: ${account.suspended_reason}`}
          </Notice>
        )}
        <Panel title="Account" actions={<LinkButton to={`/queue?account=${account.id}`}>Show its queue</LinkButton>}>
          <Facts
            facts={[
              { label: 'Plan', value: planName(account.plan_id) },
              { label: 'Two-factor authentication', value: account.totp_enabled ? 'On' : 'Off' },
              {
                label: 'Last sign-in',
                value: account.last_login_at === null ? 'Never' : <RelativeTime at={account.last_login_at} />,
              },
              { label: 'Created', value: <RelativeTime at={account.created_at} /> },
              ...limitsOf(account).map(({ label, text }) => ({ label, value: text })),
            ]}
          />
        </Panel>
        {account.role === 'owner' ? null : <PlanPanel account={account} />}
        <LimitsPanel account={account} />
      </div>
      {open === 'suspend' ? <SuspendAccount account={account} onClose={close} /> : null}
      {open === 'resume' ? <ResumeAccount account={account} onClose={close} /> : null}
      {open === 'reset' ? <ResetSignIn account={account} isOwn={isOwn} onClose={close} /> : null}
    </>
  )
}
