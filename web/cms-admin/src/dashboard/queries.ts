import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'
import { entriesQuery, readEntry } from '../entries/queries.ts'
import { FAILED_ACTIONS, isStillFailed, latestFailures } from './needs.ts'

const RECENT = 8
const MAX_FAILED = 5

const readActivity = (members: Record<string, string>, signal: AbortSignal) =>
  sendSignedIn<List<ActivityRecord>>('GET', `/api/activity?${new URLSearchParams(members)}`, { signal })

/** What happened last. */
export const recentActivityQuery = queryOptions({
  queryKey: ['activity', 'recent'],
  queryFn: ({ signal }) => readActivity({ limit: String(RECENT) }, signal),
  staleTime: 0,
})

/** Entries whose time came while something was missing, and that nobody touched since. */
export const failedSchedulesQuery = queryOptions({
  queryKey: ['activity', 'failed-schedules'],
  queryFn: async ({ signal }) => {
    const limit = String(MAX_FAILED)
    const lists = await Promise.all(FAILED_ACTIONS.map((action) => readActivity({ action, limit }, signal)))
    const failures = latestFailures(lists.flatMap(({ items }) => items)).slice(0, MAX_FAILED)
    const read = await Promise.all(failures.map((failure) => readFailed(failure, signal)))
    return read.filter((entry) => entry !== undefined)
  },
  staleTime: 0,
})

const readFailed = async (failure: ActivityRecord, signal: AbortSignal): Promise<Entry | undefined> => {
  const id = failure.target.id ?? ''
  const latest = await readActivity({ targetId: id, limit: '1' }, signal)
  return isStillFailed(failure, latest.items[0]) ? readEntry(id, signal) : undefined
}

/** How many entries a type has. */
export const countQuery = (type: string) => entriesQuery({ type, limit: 1 })

/** How many entries are published at all. */
export const publishedQuery = entriesQuery({ status: 'published', limit: 1 })
export const allEntriesQuery = entriesQuery({ limit: 1 })
