import {
  type Condition,
  type Filter,
  type Folder,
  isKeyword,
  SEARCH_FIELDS,
  type SearchField,
} from '../../../store/store.ts'
import { type Period, readPeriod } from './search-dates.ts'
import type { SearchNode, SearchTerm } from './search-syntax.ts'

/** The context that search terms are resolved in. */
export type SearchContext = { readonly folders: readonly Folder[]; readonly now: Date }

/** A search as the store takes it. */
export const searchFilter = (node: SearchNode, context: SearchContext): Filter => {
  if (node.kind === 'term') return termFilter(node, context)
  if (node.kind === 'not') return { operator: 'not', conditions: [searchFilter(node.node, context)] }
  return { operator: node.kind, conditions: node.nodes.map((each) => searchFilter(each, context)) }
}

/** Words in some fields. What is quoted must stand there as it is; other words are found by their beginnings. */
export const wordsFilter = (fields: readonly SearchField[], text: string, isQuoted = false): Filter => {
  const words = isQuoted ? text : text.split(/\s+/).map(asBeginning).join(' ')
  const inField = fields.length === SEARCH_FIELDS.length ? [{ text: words }] : fields.map((key) => ({ [key]: words }))
  const found: Filter = inField.length === 1 && inField[0] ? inField[0] : { operator: 'or', conditions: inField }
  return isQuoted && text !== '' ? { operator: 'and', conditions: [found, { contains: { fields, text } }] } : found
}

/** Any recipient: To, Cc or Bcc. */
export const RECIPIENTS: readonly SearchField[] = ['to', 'cc', 'bcc']

/** The shortest prefix that is searched: shorter ones match too many words. */
const MIN_BEGINNING = 3

const asBeginning = (word: string): string =>
  word.length < MIN_BEGINNING || word.endsWith('*') ? word : `${word.toWellFormed()}*`

/** An operator that is none, or that its value means nothing to, is a word like any other. */
const termFilter = (term: SearchTerm, context: SearchContext): Filter => {
  const { operator, text, isQuoted } = term
  const read = operator !== null && Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  const found = read?.(term, context) ?? null
  if (found) return found
  return wordsFilter(SEARCH_FIELDS, operator === null ? text : `${operator}:${text}`, isQuoted)
}

type Operator = (term: SearchTerm, context: SearchContext) => Filter | null

const inFields =
  (...fields: SearchField[]): Operator =>
  ({ text, isQuoted }) =>
    wordsFilter(fields, text, isQuoted)

const named =
  (conditions: Readonly<Record<string, Condition>>): Operator =>
  ({ text }) => {
    const name = text.toLowerCase()
    return Object.hasOwn(conditions, name) ? (conditions[name] ?? null) : null
  }

const ofPeriod =
  (toFilter: (period: Period) => Condition): Operator =>
  ({ text }, { now }) => {
    const period = readPeriod(text, now)
    return period && toFilter(period)
  }

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

const ofSize =
  (toFilter: (bytes: number) => Condition): Operator =>
  ({ text }) => {
    const [, count = '', unit = ''] = /^(\d{1,9})([kmg]?)b?$/i.exec(text) ?? []
    const factor = UNITS[unit.toLowerCase()]
    return count === '' || factor === undefined ? null : toFilter(Number(count) * factor)
  }

const STATES: Readonly<Record<string, Condition>> = {
  unread: { isUnread: true },
  read: { isUnread: false },
  seen: { hasKeyword: '$seen' },
  unseen: { notKeyword: '$seen' },
  flagged: { hasKeyword: '$flagged' },
  starred: { hasKeyword: '$flagged' },
  unflagged: { notKeyword: '$flagged' },
  answered: { hasKeyword: '$answered' },
  unanswered: { notKeyword: '$answered' },
  forwarded: { hasKeyword: '$forwarded' },
  draft: { hasKeyword: '$draft' },
  junk: { hasKeyword: '$junk' },
}

/** Finds the folder by its role, name or path, in any letter case. */
const inFolder: Operator = ({ text }, { folders }) => {
  const name = text.toLowerCase()
  if (name === 'anywhere' || name === 'all') return {}
  const found = folders.filter(
    ({ role, name: own, path }) => role === name || own.toLowerCase() === name || path.toLowerCase() === name,
  )
  const [first] = found
  if (found.length === 1 && first) return { inFolder: first.id }
  return { operator: 'or', conditions: found.map(({ id }) => ({ inFolder: id })) }
}

const labelled: Operator = ({ text }) => (isKeyword(text) ? { hasKeyword: text } : null)

const OPERATORS: Readonly<Record<string, Operator>> = {
  from: inFields('from'),
  to: inFields(...RECIPIENTS),
  cc: inFields('cc'),
  bcc: inFields('bcc'),
  subject: inFields('subject'),
  body: inFields('body'),
  filename: inFields('attachments'),
  attachment: inFields('attachments'),
  has: named({ attachment: { hasAttachment: true }, attachments: { hasAttachment: true } }),
  is: named(STATES),
  in: inFolder,
  folder: inFolder,
  label: labelled,
  keyword: labelled,
  before: ofPeriod(({ start }) => ({ before: start })),
  until: ofPeriod(({ end }) => ({ before: end })),
  since: ofPeriod(({ start }) => ({ after: start })),
  after: ofPeriod(({ start }) => ({ after: start })),
  on: ofPeriod(({ start, end }) => ({ after: start, before: end })),
  older_than: ofPeriod(({ start }) => ({ before: start })),
  newer_than: ofPeriod(({ start }) => ({ after: start })),
  larger: ofSize((minSize) => ({ minSize })),
  smaller: ofSize((maxSize) => ({ maxSize })),
}
