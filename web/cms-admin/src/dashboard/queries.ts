import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { Dashboard } from '@stoa/cms-model/dashboard.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

/** The largest page: a piece of work can be many records. */
const RECENT_RECORDS = 100

/** Tasks for this person, the latest changes, and how many entries there are. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => sendSignedIn<Dashboard>('GET', '/api/dashboard', { signal }),
})

/** The latest activity. */
export const recentActivityQuery = queryOptions({
  queryKey: ['activity', 'recent'],
  queryFn: ({ signal }) =>
    sendSignedIn<List<ActivityRecord>>('GET', `/api/activity?limit=${RECENT_RECORDS}`, { signal }),
  staleTime: 0,
})
