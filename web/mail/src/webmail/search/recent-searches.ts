import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'

const MAX_KEPT = 8
const MAX_LENGTH = 200

const keyOf = (mailboxId: string): string => `webmail-searches:${mailboxId}`

/** Recent searches in this mailbox, the last first. */
export const recentSearches = (mailboxId: string): readonly string[] => readSearches(readStored(keyOf(mailboxId)))

export const rememberSearch = (mailboxId: string, q: string): void =>
  void writeStored(keyOf(mailboxId), withSearch(recentSearches(mailboxId), q))

export const readSearches = (stored: unknown): readonly string[] =>
  Array.isArray(stored)
    ? stored.filter((q): q is string => typeof q === 'string' && q !== '' && q.length <= MAX_LENGTH).slice(0, MAX_KEPT)
    : []

/** The latest first, each once. */
export const withSearch = (recent: readonly string[], q: string): readonly string[] => {
  const words = q.trim()
  if (words === '' || words.length > MAX_LENGTH) return recent
  return [words, ...recent.filter((each) => each !== words)].slice(0, MAX_KEPT)
}
