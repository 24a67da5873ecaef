import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SessionsList } from '../../sessions-list.tsx'
import { endOtherSessions, mailboxSessionsQuery } from './queries.ts'

/** Browsers that are signed in to the mailbox. */
export const SessionsPanel = () => {
  const query = useQuery({ ...mailboxSessionsQuery, staleTime: 0 })
  const queryClient = useQueryClient()
  return (
    <SessionsList
      place="this webmail"
      query={query}
      consequence="Every other browser has to sign in again, and what was not saved there may be lost. Mail programs go on."
      onEndOthers={async () => {
        const { revoked } = await endOtherSessions()
        await queryClient.invalidateQueries(mailboxSessionsQuery)
        return revoked
      }}
    />
  )
}
