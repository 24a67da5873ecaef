/** What can stand behind an operator. */
export type OperatorKind = 'words' | 'person' | 'state' | 'has' | 'folder' | 'label' | 'date' | 'size'

export type Operator = {
  name: string
  kind: OperatorKind
  /** What it finds, in a few words. */
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
  operator('from', 'person', 'Who sent it'),
  operator('to', 'person', 'Who got it, in any field'),
  operator('subject', 'words', 'Words of the subject'),
  operator('has', 'has', 'With attachments'),
  operator('is', 'state', 'Unread, flagged, answered …'),
  operator('in', 'folder', 'In a folder'),
  operator('before', 'date', 'Received before a day'),
  operator('after', 'date', 'Received on a day or later'),
  operator('larger', 'size', 'Larger than a size'),
  operator('label', 'label', 'With a label'),
  operator('filename', 'words', 'Name of an attachment'),
  operator('body', 'words', 'Words of the text'),
  operator('smaller', 'size', 'Smaller than a size'),
  operator('on', 'date', 'Received on a day'),
  operator('newer_than', 'date', 'Received within a time'),
  operator('older_than', 'date', 'Received before a time'),
  operator('cc', 'person', 'Who got a copy', false),
  operator('bcc', 'person', 'Who got a hidden copy', false),
  operator('attachment', 'words', 'Name of an attachment', false),
  operator('folder', 'folder', 'In a folder', false),
  operator('keyword', 'label', 'With a label', false),
  operator('until', 'date', 'Received on a day or earlier', false),
  operator('since', 'date', 'Received on a day or later', false),
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
  { value: 'today', help: 'This day' },
  { value: 'yesterday', help: 'The day before' },
  { value: '7d', help: 'Seven days ago' },
  { value: '1m', help: 'A month ago' },
  { value: '1y', help: 'A year ago' },
]

export const sizes: readonly string[] = ['1m', '5m', '10m']

/** A word of a search with the operator before it. */
export type SearchWord = { operator: string; value: string; start: number; end: number }

// As the service takes a search apart: `operator:` with what follows, a phrase in quotes, or a word
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
    ? `There is no “${name}:”. Did you mean “${close.name}:”?`
    : `There is no “${name}:”: the words are searched for as they stand.`
}

const valueProblem = (
  kind: OperatorKind,
  value: string,
  folders: readonly { name: string; path: string; role: string | null }[],
): string | undefined => {
  const word = value.toLowerCase()
  switch (kind) {
    case 'state':
      return states.includes(word) || MORE_STATES.includes(word) ? undefined : `“is:” takes ${listOf(states)}.`
    case 'has':
      return /^attachments?$/.test(word) ? undefined : '“has:” takes attachment.'
    case 'date':
      return isDate(word)
        ? undefined
        : 'A day is written as 2026-03-01, 2026-03, 2026, today, yesterday, or 7d for seven days ago.'
    case 'size':
      return /^\d{1,9}[kmg]?b?$/.test(word) ? undefined : 'A size is written as 500k or 5m.'
    case 'folder':
      return isFolder(word, folders) ? undefined : `There is no folder “${value}”.`
    case 'label':
      return /^[a-z0-9_$-]{1,64}$/i.test(value) ? undefined : 'A label has only letters, digits, _ and -.'
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
