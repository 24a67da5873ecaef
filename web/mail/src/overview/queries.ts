import type { Overview } from '@stoa/mail-model/overview.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => sendSignedIn<Overview>('GET', '/api/overview', { signal }),
})
