import type { RevisionItem } from '@stoa/cms-model/entries.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'

/** Why a revision is there, when it is not an ordinary save; its tone says whether it went live. */
export const reasonOf = ({
  reason,
  autosave,
  status,
}: Pick<RevisionItem, 'reason' | 'autosave' | 'status'>): {
  word: string
  tone: 'live' | 'neutral' | 'scheduled' | 'accent'
} => {
  if (reason === 'publish') return { word: 'Published', tone: 'live' }
  if (reason === 'schedule')
    return { word: status === 'published' ? 'Published on schedule' : 'Scheduled', tone: 'scheduled' }
  if (reason === 'restore') return { word: 'Restored', tone: 'accent' }
  if (reason === 'assistant') return { word: 'Assistant', tone: 'accent' }
  if (autosave) return { word: 'Autosaved', tone: 'neutral' }
  return status === 'published' ? { word: 'Saved live', tone: 'live' } : { word: 'Saved', tone: 'neutral' }
}

const members: Readonly<Record<string, string>> = {
  title: 'Title',
  slug: 'Slug',
  status: 'Status',
  terms: 'Terms',
  locale: 'Language',
  author: 'Author',
  [`data.${LAYOUT_KEY}`]: 'Layout',
}

const SHOWN = 3

/** "Title, Body and 2 more": what a revision changed. */
export const changedWords = (changed: readonly string[], fields: readonly Field[]): string => {
  const labels = changed.map((path) => members[path] ?? labelOf(path, fields))
  if (labels.length === 0) return 'No changes'
  const rest = labels.length - SHOWN
  return rest > 0 ? `${labels.slice(0, SHOWN).join(', ')} and ${rest} more` : labels.join(', ')
}

const labelOf = (path: string, fields: readonly Field[]): string => {
  const key = path.replace(/^data\./, '')
  return fields.find((field) => field.key === key)?.label || key
}

type Side = Pick<RevisionItem, 'id' | 'version'>

/** The two sides of a comparison, the older one first: that is how changes are read. Without another, what is edited now. */
export const sidesOf = (chosen: Side, other: Side | undefined): { revision: string; against: string } => {
  if (other === undefined) return { revision: chosen.id, against: 'current' }
  const [older, newer] = chosen.version < other.version ? [chosen, other] : [other, chosen]
  return { revision: older.id, against: newer.id }
}
