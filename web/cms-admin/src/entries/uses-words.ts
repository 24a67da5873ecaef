import type { EntryUse } from '@stoa/cms-model/entries.ts'
import { formatCount } from '@stoa/ui/text/format.ts'

/** More names would not be read. */
const MAX_NAMED = 3

/** Says where a deleted entry will no longer show; `uses` is undefined while it loads. */
export const usesWords = (uses: { items: readonly EntryUse[]; total: number } | undefined): string => {
  if (!uses) return "Entries and menus that link to it won't show it anymore."
  if (uses.total === 0) return 'No entries or menus link to it.'
  const named = uses.items.slice(0, MAX_NAMED).map(nameOfUse)
  const rest = uses.total - named.length
  const names = new Intl.ListFormat('en').format([...named, ...(rest > 0 ? [`${rest} more`] : [])])
  return `It's used in ${formatCount(uses.total, 'place', 'places')}: ${names}. It won't show there anymore.`
}

const nameOfUse = (use: EntryUse): string =>
  use.kind === 'menu' ? `the menu “${use.label}”` : `“${use.title.trim() || use.slug}”`
