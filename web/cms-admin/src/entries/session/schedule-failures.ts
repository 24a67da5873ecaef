import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../../api.ts'

const failures: ReadonlySet<string> = new Set(['entry.publish.failed', 'entry.unpublish.failed'])

/** A schedule that fails is taken back by the service itself: whatever a person did since is newer than a failure. */
export const mayHaveFailed = ({ updatedBy, publishAt, unpublishAt, deletedAt }: Entry): boolean =>
  updatedBy === null && (publishAt === null || unpublishAt === null) && deletedAt === null

/** What happened to an entry last. */
export const scheduleFailuresQuery = (id: string) =>
  queryOptions({
    queryKey: ['activity', 'entry', id],
    queryFn: ({ signal }) => {
      const search = new URLSearchParams({ targetKind: 'entry', targetId: id, limit: '1' })
      return sendSignedIn<List<ActivityRecord>>('GET', `/api/activity?${search}`, { signal })
    },
  })

/** The failure of a schedule, if it is the last thing that happened, and no new time is set. */
export const failureOf = (
  latest: readonly ActivityRecord[],
  { publishAt, unpublishAt }: Pick<Entry, 'publishAt' | 'unpublishAt'>,
): ActivityRecord | undefined => {
  const [first] = latest
  if (!first || !failures.has(first.action)) return undefined
  return (first.action === 'entry.publish.failed' ? publishAt : unpublishAt) === null ? first : undefined
}
