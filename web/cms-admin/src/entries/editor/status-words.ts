import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'

export type StatusWords = {
  tone: Tone
  title: string
  detail: string | undefined
  /** The one thing that comes next, if any. */
  next: 'publish' | 'reschedule' | null
}

type Judged = Pick<Entry, 'status' | 'publishAt' | 'unpublishAt' | 'pending' | 'deletedAt'>

/** How an entry stands, in a line. `changes`: how many members differ from what is live. */
export const statusWords = (entry: Judged | null, changes: number, when: (at: string) => string): StatusWords => {
  if (entry === null) return { tone: 'draft', title: 'Draft', detail: 'Not saved yet', next: 'publish' }
  if (entry.deletedAt !== null) return { tone: 'neutral', title: 'In the trash', detail: undefined, next: null }
  const detail = entry.unpublishAt === null ? undefined : `Will be unpublished ${when(entry.unpublishAt)}`
  const isLive = entry.status === 'published'
  if (entry.publishAt !== null)
    return {
      tone: 'scheduled',
      title: `${isLive ? 'Live, changes scheduled' : 'Scheduled'} for ${when(entry.publishAt)}`,
      detail,
      next: 'reschedule',
    }
  if (!isLive) return { tone: 'draft', title: 'Draft', detail, next: 'publish' }
  const count = entry.pending ? Math.max(changes, 1) : changes
  if (count === 0) return { tone: 'live', title: 'Live', detail, next: null }
  const news = formatCount(count, 'unpublished change', 'unpublished changes')
  return { tone: 'live', title: `Live, ${news}`, detail, next: 'publish' }
}
