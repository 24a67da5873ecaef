import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionsQuery } from '../queries.ts'
import { SessionsList } from '../sessions-list.tsx'
import { endOtherSessions } from './queries.ts'

/** Browsers that are signed in to the account. */
export const SessionsPanel = () => {
  const query = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  return (
    <SessionsList
      place="your account"
      query={query}
      consequence="All other browsers have to sign in again. You stay signed in here."
      onEndOthers={async () => {
        const { revoked } = await endOtherSessions()
        await queryClient.invalidateQueries(sessionsQuery)
        return revoked
      }}
    />
  )
}
