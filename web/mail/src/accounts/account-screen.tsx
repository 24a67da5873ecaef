import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { meQuery, sessionsQuery } from '../queries.ts'
import { SessionsList } from '../sessions-list.tsx'
import { DeletePanel } from './delete-panel.tsx'
import { EmailPanel } from './email-panel.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { endOtherSessions } from './queries.ts'
import { ReferralsPanel } from './referrals-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

const TABS = ['profile', 'security', 'notifications', 'referrals'] as const

/** Profile, sign-in and notifications. */
export const AccountScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const url = useUrlState()
  const tab = TABS.find((name) => name === url.get('tab')) ?? 'profile'
  return (
    <>
      <title>Account · Stoa Mail</title>
      <PageHeader title="Account" description="Your profile, sign-in and notifications." />
      <Tabs
        label="Account"
        value={tab}
        onValue={(value) => url.set({ tab: value === 'profile' ? '' : value })}
        asksBeforeLeaving
        tabs={[
          {
            value: 'profile',
            label: 'Profile',
            content: (
              <div className="flex flex-col gap-6">
                <ProfilePanel me={me} />
                <EmailPanel me={me} />
                <DeletePanel me={me} />
              </div>
            ),
          },
          {
            value: 'security',
            label: 'Security',
            content: (
              <div className="flex flex-col gap-6">
                <PasswordPanel email={me.email} />
                <TwoFactorPanel me={me} />
                <SessionsPanel />
              </div>
            ),
          },
          { value: 'notifications', label: 'Notifications', content: <NotificationsPanel me={me} /> },
          { value: 'referrals', label: 'Invitations', content: <ReferralsPanel /> },
        ]}
      />
    </>
  )
}

/** Browsers that are signed in to the account. */
const SessionsPanel = () => {
  const query = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  return (
    <SessionsList
      place="your account"
      query={query}
      consequence="All other browsers have to sign in again. You stay signed in here."
      onEndOthers={async () => {
        const { revoked } = await endOtherSessions()
        await queryClient.invalidateQueries(sessionsQuery)
        return revoked
      }}
    />
  )
}
