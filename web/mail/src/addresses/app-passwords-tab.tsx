import type { Address } from '@stoa/mail-model/addresses.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AppPasswordsList } from '../app-passwords/app-passwords-list.tsx'
import { appPasswordsQuery, createAppPassword, revokeAppPassword } from './queries.ts'

export const AppPasswordsTab = ({ address }: { address: Address }) => {
  const query = useQuery(appPasswordsQuery(address.id))
  const queryClient = useQueryClient()
  return (
    <AppPasswordsList
      email={address.email}
      query={query}
      create={(password) => createAppPassword(address.id, password)}
      revoke={(id) => revokeAppPassword(address.id, id)}
      onChanged={() => queryClient.invalidateQueries(appPasswordsQuery(address.id))}
      next="Create one for each phone, computer or script that uses this address."
      notice={
        address.require_app_password && query.data?.data.length === 0 ? (
          <Notice tone="warning" title="No mail app can sign in">
            This address requires app passwords, and there are none yet.
          </Notice>
        ) : null
      }
    />
  )
}
