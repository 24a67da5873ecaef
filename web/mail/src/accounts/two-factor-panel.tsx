import type { User } from '@stoa/mail-model/accounts.ts'
import { TwoFactor } from '@stoa/ui/sign-in/two-factor.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { meQuery, sessionsQuery } from '../queries.ts'
import { beginTotp, disableTotp, enableTotp } from './queries.ts'

/** A second factor at sign-in; it begins with the password. */
export const TwoFactorPanel = ({ me }: { me: User }) => {
  const queryClient = useQueryClient()
  return (
    <TwoFactor
      isOn={me.totp_enabled}
      begin={{
        asks: 'password',
        run: async (password) => {
          const { secret, otpauth_url: uri } = await beginTotp(password)
          return { secret, uri }
        },
      }}
      confirm={async (code) => {
        const { recovery_codes: codes } = await enableTotp(code)
        void queryClient.invalidateQueries(meQuery)
        void queryClient.invalidateQueries(sessionsQuery)
        return codes
      }}
      remove={async (proof) => {
        await disableTotp(proof)
        await queryClient.invalidateQueries(meQuery)
      }}
    />
  )
}
