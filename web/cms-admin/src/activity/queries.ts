import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

const ACTIVITY_PER_PAGE = 50

export type ActivityFilter = { actor: string; action: string; targetKind: string; page: number }

export const activityQuery = ({ page, ...filter }: ActivityFilter) =>
  queryOptions({
    queryKey: ['activity', { ...filter, page }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(page), limit: String(ACTIVITY_PER_PAGE) })
      for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value)
      return sendSignedIn<List<ActivityRecord>>('GET', `/api/activity?${query}`, { signal })
    },
    placeholderData: (before) => before,
    // What just happened elsewhere belongs on top
    staleTime: 0,
  })
