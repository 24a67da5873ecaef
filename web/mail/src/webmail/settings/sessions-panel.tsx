import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SessionsList } from '../../sessions-list.tsx'
import { endOtherSessions, mailboxSessionsQuery } from './queries.ts'

/** Browsers that are signed in to the mailbox. */
export const SessionsPanel = () => {
  const query = useQuery({ ...mailboxSessionsQuery, staleTime: 0 })
  const queryClient = useQueryClient()
  return (
    <SessionsList
      place="webmail"
      query={query}
      consequence="All other browsers have to sign in again, and unsaved drafts there may be lost. Mail apps stay connected."
      onEndOthers={async () => {
        const { revoked } = await endOtherSessions()
        await queryClient.invalidateQueries(mailboxSessionsQuery)
        return revoked
      }}
    />
  )
}
