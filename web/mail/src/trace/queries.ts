import type { List } from '@stoa/mail-model/list.ts'
import type { TraceLine } from '@stoa/mail-model/trace.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

const LINES_PER_PAGE = 50

/** Members of the query of the service, empty where nothing is chosen. */
export type TraceFilter = {
  search: string
  domain_id: string
  address_id: string
  type: string
  direction: string
  /** How many hours back. */
  hours: string
}

export const traceQuery = ({ hours, search, ...filter }: TraceFilter, page: number) =>
  queryOptions({
    queryKey: ['trace', { hours, search, ...filter }, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
      // A message ID is copied with its brackets, and kept without them
      const words = search.trim().replace(/^<(.*)>$/, '$1')
      if (words !== '') query.set('search', words)
      if (hours !== '') query.set('since', new Date(Date.now() - Number(hours) * 3_600_000).toISOString())
      query.set('page', String(page))
      query.set('per_page', String(LINES_PER_PAGE))
      return sendSignedIn<List<TraceLine>>('GET', `/api/trace?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })
