/** The labels among the keywords of a message: the marks of mail programs begin with `$` or a backslash. */
export const labelsOf = (keywords: readonly string[]): string[] =>
  keywords.filter((keyword) => /^[a-z0-9_-]{1,64}$/.test(keyword) && !RESERVED.has(keyword))

// Spam programs set these without the sign
const RESERVED = new Set(['junk', 'nonjunk', 'notjunk', 'draft', 'deleted', 'recent', 'seen', 'flagged'])

/** What a label can be, as somebody typed it: `Tax 2026` becomes `tax-2026`. Empty when nothing is left. */
export const labelFrom = (typed: string): string => {
  const label = typed
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LABEL)
  return labelsOf([label])[0] ?? ''
}

const MAX_LABEL = 64
