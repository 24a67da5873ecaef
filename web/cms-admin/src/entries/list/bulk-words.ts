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
  terms: { doing: 'Setting the terms of', done: 'given the terms' },
}

export const entriesOf = (count: number): string => formatCount(count, 'entry', 'entries')

type Question = { title: string; consequence: string; confirmLabel: string; tone: 'primary' | 'danger' }

/** What is asked before; terms have a dialog of their own. */
export const questionOf = (action: Exclude<BulkKind, 'terms'>, count: number): Question => {
  switch (action) {
    case 'publish':
      return {
        title: `Publish ${entriesOf(count)}?`,
        consequence: 'They go live at once. An entry that lacks something required stays as it is, and is named.',
        confirmLabel: 'Publish',
        tone: 'primary',
      }
    case 'unpublish':
      return {
        title: `Unpublish ${entriesOf(count)}?`,
        consequence: 'They leave the website at once and become drafts. They can be published again.',
        confirmLabel: 'Unpublish',
        tone: 'danger',
      }
    case 'draft':
      return {
        title: `Return ${entriesOf(count)} to draft?`,
        consequence: 'Published ones leave the website, and what was scheduled is cancelled.',
        confirmLabel: 'Return to draft',
        tone: 'danger',
      }
    case 'trash':
      return {
        title: `Move ${entriesOf(count)} to the trash?`,
        consequence: 'They leave the website and all lists at once. They can be restored from the trash, as drafts.',
        confirmLabel: 'Move to trash',
        tone: 'danger',
      }
  }
}
