/** Enough for a line of a list. */
const MAX_EXCERPT = 120
// Tags take room: so much of the markup gives the excerpt in nearly every text
const MAX_MARKUP = 1000

/** The title of an entry for people. */
export const titleOf = (entry: { title: string }): string => (entry.title === '' ? 'Untitled' : entry.title)

/** The beginning of a text on one line. */
export const excerptOf = (value: unknown, isMarkup = false): string => {
  if (typeof value !== 'string') return ''
  const start = value.slice(0, MAX_MARKUP)
  const text = isMarkup ? textOf(start) : start
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).trimEnd()}…` : line
}

/** The ids or names in a value that holds one, several or none. */
export const idsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** An address without what every address begins with. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

/** The text of markup without its tags; the last tag may be cut off. */
const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => entities.get(name) ?? whole)

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['#39', "'"],
])
