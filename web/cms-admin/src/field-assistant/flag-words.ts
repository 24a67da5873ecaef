import type { FieldEvents } from '@stoa/cms-model/assistant.ts'
import { formatNumber } from '@stoa/ui/format.ts'

type Flag = FieldEvents['done']['flags'][number]

const words: Readonly<Record<Exclude<Flag, 'shortened'>, string>> = {
  formatting: 'Formatting changed',
  numbers: 'Numbers are different',
  links: 'Links are different',
  emails: 'Email addresses are different',
  placeholders: 'Placeholders such as {name} are different',
}

/** What to look at before a suggestion is used. */
export const flagWords = (flag: Flag, limit: number | undefined): string => {
  if (flag !== 'shortened') return words[flag]
  return limit === undefined ? 'Longer than the limit' : `Longer than ${formatNumber(limit)} characters`
}
