import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { Webhook } from '@stoa/cms-model/webhooks.ts'

/** When the entry changes by itself next; undefined when it is not scheduled. */
export const nextTime = ({
  publishAt,
  unpublishAt,
}: Pick<EntryItem, 'publishAt' | 'unpublishAt'>): string | undefined =>
  [publishAt, unpublishAt].filter((at) => at !== null).toSorted()[0]

/** What happens soonest comes first. */
export const bySchedule = <E extends Pick<EntryItem, 'publishAt' | 'unpublishAt'>>(entries: readonly E[]): E[] =>
  entries.toSorted((a, b) => (nextTime(a) ?? '').localeCompare(nextTime(b) ?? ''))

/** Those that do not reach their target. */
export const failingWebhooks = <W extends Pick<Webhook, 'enabled' | 'disabledReason' | 'lastDelivery'>>(
  webhooks: readonly W[],
): W[] =>
  webhooks.filter(({ enabled, disabledReason, lastDelivery }) =>
    enabled ? lastDelivery?.status === 'failed' : disabledReason !== 'owner',
  )

export const FAILED_ACTIONS = ['entry.publish.failed', 'entry.unpublish.failed'] as const

/** Each entry once, the latest failure first. */
export const latestFailures = (records: readonly ActivityRecord[]): ActivityRecord[] => {
  const byEntry = new Map<string, ActivityRecord>()
  for (const record of records.toSorted((a, b) => b.at.localeCompare(a.at)))
    if (record.target.id !== null && !byEntry.has(record.target.id)) byEntry.set(record.target.id, record)
  return [...byEntry.values()]
}

/** Nobody has touched the entry since: what happened to it last is the failure. */
export const isStillFailed = (failure: ActivityRecord, latest: ActivityRecord | undefined): boolean =>
  latest?.id === failure.id
