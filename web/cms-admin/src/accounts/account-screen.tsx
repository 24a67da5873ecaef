import type { Me } from '@stoa/cms-model/accounts.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { TwoFactor } from '@stoa/ui/sign-in/two-factor.tsx'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { meQuery, sessionsQuery } from '../queries.ts'
import { AgentKeysPanel } from './agent-keys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { beginTotp, confirmTotp, removeTotp } from './queries.ts'
import { SessionsPanel } from './sessions-panel.tsx'

/** The person's own profile, password and sessions. */
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

/** A second factor at sign-in. */
const TwoFactorPanel = ({ me }: { me: Me }) => {
  const queryClient = useQueryClient()
  return (
    <TwoFactor
      isOn={me.totp}
      begin={{ asks: 'nothing', run: beginTotp }}
      confirm={async (code) => {
        const { recoveryCodes } = await confirmTotp(code)
        void queryClient.invalidateQueries(meQuery)
        void queryClient.invalidateQueries(sessionsQuery)
        return recoveryCodes
      }}
      remove={async (proof) => {
        await removeTotp(proof)
        await queryClient.invalidateQueries(meQuery)
      }}
    />
  )
}
