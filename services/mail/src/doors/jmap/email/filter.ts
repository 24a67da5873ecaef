import { type Condition, type Filter, isOperator, SEARCH_FIELDS, type SearchField } from '../../../store/store.ts'
import { type Args, failMethod } from '../method.ts'
import { isStrings, isUnsignedInt, parseUtcDate } from '../standard/arguments.ts'
import { type FilterNode, readFilter } from '../standard/query.ts'
import { isObjectId } from './ids.ts'

const NOTHING: Filter = { operator: 'or', conditions: [] }

/** The filter of an Email/query as the store takes it (RFC 8621 §4.4.1). */
export const readEmailFilter = (args: Args): Filter => {
  const node = readFilter(args, readCondition)
  return node ? toFilter(node) : {}
}

const OPERATORS = { AND: 'and', OR: 'or', NOT: 'not' } as const

const toFilter = (node: FilterNode<Filter>): Filter =>
  'condition' in node
    ? node.condition
    : { operator: OPERATORS[node.operator], conditions: node.conditions.map(toFilter) }

/** Members that are one member of the store's condition are kept together, so that it sees the folder beside them. */
const readCondition = (condition: Args): Filter => {
  const conditions: Filter[] = []
  let plain: Condition = {}
  for (const [name, value] of Object.entries(condition)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined
    if (!reader) return failMethod('unsupportedFilter', `Messages cannot be filtered by "${name.slice(0, 100)}".`)
    const filter = reader(value)
    if (filter === null)
      return failMethod('invalidArguments', `Invalid filter value for "${name}".`, {
        arguments: ['filter'],
      })
    if (isOperator(filter)) conditions.push(filter)
    else plain = { ...plain, ...filter }
  }
  if (conditions.length === 0) return plain
  return { operator: 'and', conditions: [plain, ...conditions] }
}

type Reader = (value: unknown) => Filter | null

const ofString =
  (toCondition: (text: string) => Filter): Reader =>
  (value) =>
    typeof value === 'string' ? toCondition(value) : null

const ofId = (toCondition: (id: string) => Filter): Reader =>
  // A mailbox that cannot be is a mailbox without messages.
  ofString((id) => (isObjectId(id) ? toCondition(id) : NOTHING))

const ofDate =
  (toCondition: (date: Date) => Condition): Reader =>
  (value) => {
    const date = parseUtcDate(value)
    return date && toCondition(date)
  }

const ofSize =
  (toCondition: (size: number) => Condition): Reader =>
  (value) =>
    isUnsignedInt(value) ? toCondition(value) : null

const ofWords = (fields: readonly SearchField[], toCondition: (text: string) => Condition): Reader =>
  ofString((text) => {
    const { words, phrases } = splitPhrases(text)
    if (phrases.length === 0) return toCondition(words)
    const inOrder = phrases.map((phrase) => ({ contains: { fields, text: phrase } }))
    return { operator: 'and', conditions: [toCondition([words, ...phrases].join(' ')), ...inOrder] }
  })

const ofField = (field: SearchField): Reader => ofWords([field], (text) => ({ [field]: text }))

const READERS: Readonly<Record<string, Reader>> = {
  inMailbox: ofId((inFolder) => ({ inFolder })),
  inMailboxOtherThan: (value) => (isStrings(value) ? { inFolderOtherThan: value.filter(isObjectId) } : null),
  before: ofDate((before) => ({ before })),
  after: ofDate((after) => ({ after })),
  minSize: ofSize((minSize) => ({ minSize })),
  maxSize: ofSize((maxSize) => ({ maxSize })),
  allInThreadHaveKeyword: ofString((allInThreadHaveKeyword) => ({ allInThreadHaveKeyword })),
  someInThreadHaveKeyword: ofString((someInThreadHaveKeyword) => ({ someInThreadHaveKeyword })),
  noneInThreadHaveKeyword: ofString((noneInThreadHaveKeyword) => ({ noneInThreadHaveKeyword })),
  hasKeyword: ofString((hasKeyword) => ({ hasKeyword })),
  notKeyword: ofString((notKeyword) => ({ notKeyword })),
  hasAttachment: (value) => (typeof value === 'boolean' ? { hasAttachment: value } : null),
  text: ofWords(SEARCH_FIELDS, (text) => ({ text })),
  from: ofField('from'),
  to: ofField('to'),
  cc: ofField('cc'),
  bcc: ofField('bcc'),
  subject: ofField('subject'),
  body: ofField('body'),
  header: (value) => {
    const [name, text = null] = isStrings(value) ? value : []
    const isGood = isStrings(value) && (value.length === 1 || value.length === 2) && name !== undefined
    return isGood ? { header: { name, value: text } } : null
  },
}

/** Whether results can change though no message comes or goes: filters by folders, keywords, or other messages. */
export const isMutable = (filter: Filter): boolean =>
  isOperator(filter)
    ? filter.conditions.some(isMutable)
    : Object.keys(filter).some((key) => MUTABLE.has(key) || IN_THREAD.has(key))

/** Whether a message fits or not by others of its thread. */
export const looksAtThreads = (filter: Filter): boolean =>
  isOperator(filter) ? filter.conditions.some(looksAtThreads) : Object.keys(filter).some((key) => IN_THREAD.has(key))

const MUTABLE = new Set(['inFolder', 'inFolderOtherThan', 'hasKeyword', 'notKeyword'])
const IN_THREAD = new Set(['allInThreadHaveKeyword', 'someInThreadHaveKeyword', 'noneInThreadHaveKeyword'])

/** A text search: words in any order, and phrases in the given order. */
type SearchText = { readonly words: string; readonly phrases: readonly string[] }

/** The most phrases per search; nobody types more. */
const MAX_PHRASES = 20

/**
 * RFC 8621 §4.4.1: text in matched quotes is a phrase, a backslash stands before a quote that is meant. Quotes inside of
 * words (`don't`) and those that are never closed are text.
 */
const PHRASE = /(?<=^|\s)(["'])((?:\\.|(?!\1)[^\\]){1,1000})\1(?=\s|$)/gs

const splitPhrases = (text: string): SearchText => {
  const phrases: string[] = []
  const words = text.replace(PHRASE, (whole, _quote: string, inner: string) => {
    const phrase = inner.replace(/\\(["'\\])/g, '$1').trim()
    if (phrase === '' || phrases.length >= MAX_PHRASES) return whole
    phrases.push(phrase)
    return ' '
  })
  return { words: words.replace(/\s+/g, ' ').trim(), phrases }
}
