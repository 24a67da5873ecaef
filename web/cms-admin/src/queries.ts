import { isPassing } from '@stoa/ui/request/request.ts'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { api, isSignedOut } from './api.ts'

const FRESH_MS = 30_000
const MAX_RETRIES = 2

/** The cache of what the service said. A refusal is final; no answer is tried again. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: (count, error) => isPassing(error) && count < MAX_RETRIES },
    },
  })

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => api.status(signal),
})

/** The signed-in person. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.me(signal),
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.sessions(signal),
})

/** Asks the service: what is cached may be of a session that has just ended. */
export const isSignedIn = async (queryClient: QueryClient): Promise<boolean> => {
  try {
    await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    return true
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return false
  }
}
