import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { AppPasswordsList } from '../../app-passwords/app-passwords-list.tsx'
import { mailboxQuery } from '../queries.ts'
import { createAppPassword, deleteAppPassword, ownAppPasswordsQuery } from './queries.ts'

export const AppPasswordsSection = () => {
  const { data: mailbox } = useSuspenseQuery(mailboxQuery)
  const query = useQuery(ownAppPasswordsQuery)
  const queryClient = useQueryClient()
  return (
    <AppPasswordsList
      email={mailbox.email}
      query={query}
      create={createAppPassword}
      revoke={deleteAppPassword}
      onChanged={() => queryClient.invalidateQueries(ownAppPasswordsQuery)}
      next={
        <>
          Create one for each phone or mail app, then{' '}
          <TextLink to="/webmail/settings?section=connect">connect it</TextLink>.
        </>
      }
    />
  )
}
