import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'

type Standing = Pick<EntryItem, 'status' | 'publishAt' | 'unpublishAt' | 'pending'>

type MergedStatus = {
  tone: Tone
  label: string
  /** When it changes by itself. */
  at: string | null
}

/** How an entry stands, in one word or two: what visitors see now, and what will change that. */
export const mergedStatus = ({ status, publishAt, unpublishAt, pending }: Standing): MergedStatus => {
  if (status === 'draft') {
    return publishAt === null
      ? { tone: 'draft', label: 'Draft', at: null }
      : { tone: 'scheduled', label: 'Scheduled', at: publishAt }
  }
  if (publishAt !== null && (unpublishAt === null || publishAt <= unpublishAt))
    return { tone: 'scheduled', label: 'Live, changes scheduled', at: publishAt }
  if (unpublishAt !== null)
    return { tone: 'scheduled', label: pending ? 'Live, changed, unpublishes' : 'Live, unpublishes', at: unpublishAt }
  return pending ? { tone: 'accent', label: 'Live, changed', at: null } : { tone: 'live', label: 'Live', at: null }
}
