import { PageHeader } from '@stoa/ui/page-header.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import { meQuery } from '../queries.ts'
import { AgentKeysPanel } from './agent-keys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

/** Who one is, the password, and where one is signed in. */
export const AccountScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <title>Account · Stoa CMS</title>
      <PageHeader title="Account" description="Your profile, sign-in and agent keys" />
      <div className="flex flex-col gap-6">
        <ProfilePanel me={me} />
        <PasswordPanel email={me.email} />
        <TwoFactorPanel me={me} />
        <AgentKeysPanel me={me} />
        <SessionsPanel />
      </div>
    </>
  )
}
