import type { Me } from '@stoa/cms-model/accounts.ts'
import { Avatar } from '@stoa/ui/avatar.tsx'
import { Badge } from '@stoa/ui/badge.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import { meQuery } from '../queries.ts'
import { PasswordPanel } from './password-panel.tsx'
import { roleLabels } from './roles.ts'
import { SessionsPanel } from './sessions-panel.tsx'

/** Who one is, the password, and where one is signed in. */
export const AccountScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <title>Account · Stoa CMS</title>
      <PageHeader title="Account" description="Your profile, your password and where you are signed in." />
      <div className="flex flex-col gap-6">
        <ProfilePanel me={me} />
        <PasswordPanel email={me.email} />
        <SessionsPanel />
      </div>
    </>
  )
}

const ProfilePanel = ({ me }: { me: Me }) => (
  <Panel title="Profile">
    <div className="flex items-start gap-4">
      <Avatar name={me.name} size="lg" />
      <Facts
        facts={[
          { label: 'Name', value: me.name },
          { label: 'E-mail', value: me.email },
          { label: 'Role', value: <Badge tone="accent">{roleLabels[me.role]}</Badge> },
          { label: 'Member since', value: <RelativeTime at={me.createdAt} /> },
        ]}
      />
    </div>
  </Panel>
)
