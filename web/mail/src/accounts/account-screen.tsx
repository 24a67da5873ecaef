import { PageHeader } from '@stoa/ui/page-header.tsx'
import { Tabs } from '@stoa/ui/tabs.tsx'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { meQuery } from '../queries.ts'
import { DeletePanel } from './delete-panel.tsx'
import { EmailPanel } from './email-panel.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { ReferralsPanel } from './referrals-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

const TABS = ['profile', 'security', 'notifications', 'referrals'] as const

/** Who one is, how one signs in, what one is told. */
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
