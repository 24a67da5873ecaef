import type { Me } from '@stoa/cms-model/accounts.ts'
import { TwoFactor } from '@stoa/ui/two-factor.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { meQuery, sessionsQuery } from '../queries.ts'
import { beginTotp, confirmTotp, removeTotp } from './queries.ts'

/** A second factor at sign-in. */
export const TwoFactorPanel = ({ me }: { me: Me }) => {
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
