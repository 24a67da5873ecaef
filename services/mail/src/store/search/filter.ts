import { refuse } from '../refusal.ts'
import { SEARCH_FIELDS, type SearchField } from './words.ts'

/** What messages are looked for by; all members of a condition must hold (RFC 8621 §4.4.1). */
export type Condition = {
  inFolder?: string
  /** In some folder that is none of these. */
  inFolderOtherThan?: readonly string[]
  /** Received before, and at or after. */
  before?: Date
  after?: Date
  sentBefore?: Date
  sentSince?: Date
  minSize?: number
  /** Smaller than this. */
  maxSize?: number
  hasKeyword?: string
  notKeyword?: string
  allInThreadHaveKeyword?: string
  someInThreadHaveKeyword?: string
  noneInThreadHaveKeyword?: string
  hasAttachment?: boolean
  isUnread?: boolean
  /** Words, in any field or in one. */
  text?: string
  from?: string
  to?: string
  cc?: string
  bcc?: string
  subject?: string
  body?: string
  attachments?: string
  /** Any part of the text, as IMAP searches. */
  contains?: { fields: readonly SearchField[]; text: string }
  /** Any part of the whole message, header fields included. */
  containsAnywhere?: string
  /** A header field of any name that contains the text; null: that is there at all. */
  header?: { name: string; value: string | null }
  /** Received before, and on or after, a day in the zone of that: `2026-03-01`. */
  beforeDay?: string
  sinceDay?: string
  /** Sent before, and on or after, a day in the author's time zone. */
  sentBeforeDay?: string
  sentSinceDay?: string
  ids?: readonly string[]
  threadId?: string
  /** Conditions on the message's row in the folder that is searched by UID. */
  row?: RowCondition
}

export type RowCondition = {
  deleted?: boolean
  /** In one of these ranges, both ends included. */
  uids?: readonly { first: number; last: number }[]
  /** Changed at this modseq or later. */
  minModseq?: number
  /** Put into the folder before, and at or after. */
  savedBefore?: Date
  savedSince?: Date
}

export type Filter = Condition | { operator: 'and' | 'or' | 'not'; conditions: readonly Filter[] }

const MAX_CONDITIONS = 200
const MAX_DEPTH = 20

export const isOperator = (filter: Filter): filter is Extract<Filter, { operator: string }> => 'operator' in filter

/** Bounds what somebody asks for before it becomes SQL. Only those who ask for UIDs may ask for rows. */
export const checkFilter = (filter: Filter, { hasRows = false }: { hasRows?: boolean } = {}): void => {
  let count = 0
  const visit = (each: Filter, depth: number): void => {
    count += 1
    if (count > MAX_CONDITIONS || depth > MAX_DEPTH) refuse('too_many', 'the filter has too many conditions')
    if (isOperator(each)) for (const inner of each.conditions) visit(inner, depth + 1)
    else if (each.row && !hasRows) throw new TypeError('rows are of a folder, and this looks for messages')
  }
  visit(filter, 0)
}

/** What is looked for by words, and in which fields. */
export const wordConditions = (condition: Condition): { text: string; fields: readonly SearchField[] }[] => {
  const found = SEARCH_FIELDS.flatMap((field) => {
    const text = condition[field]
    return text === undefined ? [] : [{ text, fields: [field] }]
  })
  return condition.text === undefined ? found : [...found, { text: condition.text, fields: SEARCH_FIELDS }]
}

/** The folder that all results are in, if there is one, and what else they must be. */
export const splitFolder = (filter: Filter): { folderId: string | null; rest: Filter[] } => {
  if (!isOperator(filter)) {
    const { inFolder, ...rest } = filter
    return { folderId: inFolder ?? null, rest: Object.keys(rest).length > 0 ? [rest] : [] }
  }
  if (filter.operator !== 'and') return { folderId: null, rest: [filter] }
  const at = filter.conditions.findIndex((each) => !isOperator(each) && each.inFolder !== undefined)
  const condition = filter.conditions[at]
  if (!condition) return { folderId: null, rest: [filter] }
  const { folderId, rest } = splitFolder(condition)
  return { folderId, rest: [...filter.conditions.toSpliced(at, 1), ...rest] }
}
