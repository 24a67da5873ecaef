import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { dateFormat } from '@stoa/ui/text/formatters.ts'
import { daysBefore } from './row-words.ts'

const WEEK_DAYS = 6

/** The heading that a message stands under: days of the last week, months before that. */
export const dayHeading = (at: Date, now: Date, locale?: string): string => {
  const days = daysBefore(at, now)
  // A clock that goes fast somewhere must not open a heading for tomorrow
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= WEEK_DAYS) return dateFormat(locale, { weekday: 'long' }).format(at)
  const isThisYear = at.getFullYear() === now.getFullYear()
  return dateFormat(locale, isThisYear ? { month: 'long' } : { month: 'long', year: 'numeric' }).format(at)
}

export type PlacedRow = { readonly index: number; readonly item: Pick<MessageItem, 'received_at'> }

/** The rows that a heading stands above, by their places. Rows whose neighbor above is not known have none. */
export const dayHeaders = (rows: readonly PlacedRow[], now: Date, locale?: string): ReadonlyMap<number, string> => {
  const headers = new Map<number, string>()
  let above: { index: number; heading: string } | undefined
  for (const { index, item } of rows.toSorted((a, b) => a.index - b.index)) {
    const heading = dayHeading(new Date(item.received_at), now, locale)
    if (index === 0 || (above?.index === index - 1 && above.heading !== heading)) headers.set(index, heading)
    above = { index, heading }
  }
  return headers
}
