/** The kind of value that an operator takes. */
export type OperatorKind = 'words' | 'person' | 'state' | 'has' | 'folder' | 'label' | 'date' | 'size'

export type Operator = {
  name: string
  kind: OperatorKind
  /** A short description of what it finds. */
  help: string
  /** Offered while typing; the others are known as well. */
  isOffered: boolean
}

const operator = (name: string, kind: OperatorKind, help: string, isOffered = true): Operator => ({
  name,
  kind,
  help,
  isOffered,
})

/** The operators of a search, as the service reads them. */
export const operators: readonly Operator[] = [
  operator('from', 'person', 'Sender'),
  operator('to', 'person', 'Any recipient'),
  operator('subject', 'words', 'Words in the subject'),
  operator('has', 'has', 'Has attachments'),
  operator('is', 'state', 'Unread, flagged, answered…'),
  operator('in', 'folder', 'In a folder'),
  operator('before', 'date', 'Received before a date'),
  operator('after', 'date', 'Received on or after a date'),
  operator('larger', 'size', 'Larger than'),
  operator('label', 'label', 'Has a label'),
  operator('filename', 'words', 'Attachment name'),
  operator('body', 'words', 'Words in the message'),
  operator('smaller', 'size', 'Smaller than'),
  operator('on', 'date', 'Received on a date'),
  operator('newer_than', 'date', 'Received in the last…'),
  operator('older_than', 'date', 'Received more than… ago'),
  operator('cc', 'person', 'Cc recipient', false),
  operator('bcc', 'person', 'Bcc recipient', false),
  operator('attachment', 'words', 'Attachment name', false),
  operator('folder', 'folder', 'In a folder', false),
  operator('keyword', 'label', 'Has a label', false),
  operator('until', 'date', 'Received on or before a date', false),
  operator('since', 'date', 'Received on or after a date', false),
]

export const states: readonly string[] = [
  'unread',
  'read',
  'flagged',
  'unflagged',
  'answered',
  'unanswered',
  'forwarded',
  'draft',
  'junk',
]
const MORE_STATES: readonly string[] = ['seen', 'unseen', 'starred']

export const dates: readonly { value: string; help: string }[] = [
  { value: 'today', help: 'Today' },
  { value: 'yesterday', help: 'Yesterday' },
  { value: '7d', help: '7 days ago' },
  { value: '1m', help: '1 month ago' },
  { value: '1y', help: '1 year ago' },
]

export const sizes: readonly string[] = ['1m', '5m', '10m']

/** A word of a search with the operator before it. */
export type SearchWord = { operator: string; value: string; start: number; end: number }

// The service's search tokens: `operator:` with its value, a phrase in quotes, or a word
const WORD = /-?(?:(?<operator>[A-Za-z_]{1,20}):(?=\S))?(?:"(?<phrase>[^"]*)(?:"|$)|(?<word>[^\s()"]+|"))/gu

export const searchWords = (text: string): SearchWord[] =>
  [...text.matchAll(WORD)].map((found) => ({
    operator: found.groups?.operator?.toLowerCase() ?? '',
    value: found.groups?.phrase ?? found.groups?.word ?? '',
    start: found.index,
    end: found.index + found[0].length,
  }))

/** Whether the last word is an operator whose value is only begun: what it would find is not what is meant. */
export const isHalfTyped = (text: string): boolean => {
  const [, name = '', value = ''] = /(?:^|[\s(])-?([A-Za-z_]{1,20}):(\S*)$/.exec(text) ?? []
  const known = operators.find((each) => each.name === name.toLowerCase())
  if (!known || value === '') return known !== undefined
  const values = known.kind === 'state' ? states : known.kind === 'has' ? ['attachment'] : []
  const word = value.toLowerCase()
  return !values.includes(word) && values.some((each) => each.startsWith(word))
}

export type SearchProblem = { word: string; message: string }

/** Words that look like operators and are none, or whose value means nothing: they are searched for as they stand. */
export const searchProblems = (
  text: string,
  folders: readonly { name: string; path: string; role: string | null }[],
): SearchProblem[] =>
  searchWords(text).flatMap(({ operator: name, value, start, end }) => {
    if (name === '') return []
    // `https://…` and `12:30` are words that people look for
    if (value.startsWith('//')) return []
    const known = operators.find((each) => each.name === name)
    const message = known ? valueProblem(known.kind, value, folders) : nearest(name)
    return message === undefined ? [] : [{ word: text.slice(start, end), message }]
  })

const nearest = (name: string): string => {
  const close = operators.find((each) => each.name.startsWith(name) || name.startsWith(each.name))
  return close
    ? `“${name}:” isn't a search operator. Did you mean “${close.name}:”?`
    : `“${name}:” isn't a search operator, so it's searched as text.`
}

const valueProblem = (
  kind: OperatorKind,
  value: string,
  folders: readonly { name: string; path: string; role: string | null }[],
): string | undefined => {
  const word = value.toLowerCase()
  switch (kind) {
    case 'state':
      return states.includes(word) || MORE_STATES.includes(word) ? undefined : `Use “is:” with ${listOf(states)}.`
    case 'has':
      return /^attachments?$/.test(word) ? undefined : 'Use “has:attachment”.'
    case 'date':
      return isDate(word)
        ? undefined
        : 'Enter a date like 2026-03-01, 2026-03, 2026, today, yesterday, or 7d for 7 days ago.'
    case 'size':
      return /^\d{1,9}[kmg]?b?$/.test(word) ? undefined : 'Enter a size like 500k or 5m.'
    case 'folder':
      return isFolder(word, folders) ? undefined : `Folder “${value}” doesn't exist.`
    case 'label':
      return /^[a-z0-9_$-]{1,64}$/i.test(value) ? undefined : 'Labels can only contain letters, digits, _ and -.'
    default:
      return undefined
  }
}

const listOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const isFolder = (word: string, folders: readonly { name: string; path: string; role: string | null }[]): boolean =>
  word === 'anywhere' ||
  word === 'all' ||
  folders.some(({ role, name, path }) => role === word || name.toLowerCase() === word || path.toLowerCase() === word)

const isDate = (word: string): boolean => {
  if (word === 'today' || word === 'yesterday' || /^\d{1,4}[dwmy]$/.test(word)) return true
  const [, year = '', month = '1', day = '1'] = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(word) ?? []
  if (year === '' || Number(year) < 1000) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
