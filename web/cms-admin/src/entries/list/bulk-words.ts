import type { BulkInput } from '@stoa/cms-model/entries.ts'
import { formatCount } from '@stoa/ui/text/format.ts'

export type BulkKind = Exclude<BulkInput['action'], 'restore'>

type Words = {
  /** While it goes on: "Publishing". */
  doing: string
  /** Said of those that worked: "published". */
  done: string
}

export const bulkWords: Record<BulkInput['action'], Words> = {
  publish: { doing: 'Publishing', done: 'published' },
  unpublish: { doing: 'Unpublishing', done: 'unpublished' },
  draft: { doing: 'Returning to draft', done: 'returned to draft' },
  trash: { doing: 'Moving to the trash', done: 'moved to the trash' },
  restore: { doing: 'Restoring', done: 'restored' },
  terms: { doing: 'Updating the terms of', done: 'updated' },
}

export const entriesOf = (count: number): string => formatCount(count, 'entry', 'entries')

type Question = { title: string; consequence: string; confirmLabel: string; tone: 'primary' | 'danger' }

/** The confirmation of a bulk action; terms have a dialog of their own. */
export const questionOf = (action: Exclude<BulkKind, 'terms'>, count: number): Question => {
  switch (action) {
    case 'publish':
      return {
        title: `Publish ${entriesOf(count)}?`,
        consequence: 'They go live immediately. Entries with missing required fields are skipped and listed.',
        confirmLabel: 'Publish',
        tone: 'primary',
      }
    case 'unpublish':
      return {
        title: `Unpublish ${entriesOf(count)}?`,
        consequence: "They're removed from your website immediately and become drafts. You can publish them again.",
        confirmLabel: 'Unpublish',
        tone: 'danger',
      }
    case 'draft':
      return {
        title: `Return ${entriesOf(count)} to draft?`,
        consequence: 'Published entries are removed from your website, and schedules are canceled.',
        confirmLabel: 'Return to draft',
        tone: 'danger',
      }
    case 'trash':
      return {
        title: `Move ${entriesOf(count)} to the trash?`,
        consequence: "They're removed from your website and all lists. You can restore them from the trash as drafts.",
        confirmLabel: 'Move to trash',
        tone: 'danger',
      }
  }
}
