import { isUuid } from '@stoa/kit/ids.ts'
import type { Condition } from '../../../store/store.ts'
import { keywordOf } from '../flags.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import type { Day } from '../parse/dates.ts'
import type { SequenceSet } from '../parse/sequence-set.ts'

/** What messages are looked for by (RFC 9051 §6.4.4), as far as a command says it. */
export type SearchKey =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'set'; readonly set: SequenceSet; readonly isUid: boolean }
  | { readonly kind: 'recent' }
  | { readonly kind: 'and' | 'or'; readonly keys: readonly SearchKey[] }
  | { readonly kind: 'not'; readonly key: SearchKey }

/** `now` decides what OLDER and YOUNGER are counted from. */
export type KeyOptions = { readonly now: Date }

/** NOT and OR inside of each other: clients write a list of alternatives as one OR in the next. */
const MAX_NESTED = 250
const DAY_MS = 86_400_000

/** One or more keys up to the end or a closing bracket: all must hold. */
export const readKeys = (args: Arguments, options: KeyOptions): SearchKey => {
  const read = createKeyReader(args, options)
  return allOf(readAll(args, read))
}

const readAll = (args: Arguments, read: () => SearchKey): SearchKey[] => {
  const keys = [read()]
  // Some clients leave a space at the end.
  while (args.take(' ') && !args.isAtEnd()) keys.push(read())
  return keys
}

const createKeyReader = (args: Arguments, options: KeyOptions): (() => SearchKey) => {
  let depth = 0
  const read = (): SearchKey => {
    depth += 1
    if (depth > MAX_NESTED) bad('Search keys are nested too deeply')
    const key = readOne()
    depth -= 1
    return key
  }
  const readOne = (): SearchKey => {
    const next = args.peek()
    if (next === '(') return allOf(args.list(read))
    if (/[0-9*$]/.test(next)) return { kind: 'set', set: args.sequenceSet(), isUid: false }
    const name = args.keyword()
    const fixed = FIXED.get(name)
    if (fixed) return fixed
    if (name === 'NOT') return { kind: 'not', key: after(args, read) }
    if (name === 'OR') return anyOf([after(args, read), after(args, read)])
    const reader = READERS.get(name) ?? bad(`Unknown search key ${name}`)
    args.space()
    return reader(args, options)
  }
  return read
}

const after = (args: Arguments, read: () => SearchKey): SearchKey => {
  args.space()
  return read()
}

/** Flattens nested keys of the same operator. */
const joined = (kind: 'and' | 'or', keys: readonly SearchKey[]): SearchKey => {
  const flat = keys.flatMap((key) => (key.kind === kind ? key.keys : [key]))
  const [only] = flat
  return only && flat.length === 1 ? only : { kind, keys: flat }
}
const allOf = (keys: readonly SearchKey[]): SearchKey => joined('and', keys)
const anyOf = (keys: readonly SearchKey[]): SearchKey => joined('or', keys)
const not = (key: SearchKey): SearchKey => ({ kind: 'not', key })
const having = (condition: Condition): SearchKey => ({ kind: 'condition', condition })
const RECENT: SearchKey = { kind: 'recent' }
const unseen = having({ notKeyword: '$seen' })

const FIXED: ReadonlyMap<string, SearchKey> = new Map([
  ['ALL', having({})],
  ['ANSWERED', having({ hasKeyword: '$answered' })],
  ['DELETED', having({ row: { deleted: true } })],
  ['DRAFT', having({ hasKeyword: '$draft' })],
  ['FLAGGED', having({ hasKeyword: '$flagged' })],
  ['NEW', allOf([RECENT, unseen])],
  ['OLD', not(RECENT)],
  ['RECENT', RECENT],
  ['SAVEDATESUPPORTED', having({})],
  ['SEEN', having({ hasKeyword: '$seen' })],
  ['UNANSWERED', having({ notKeyword: '$answered' })],
  ['UNDELETED', having({ row: { deleted: false } })],
  ['UNDRAFT', having({ notKeyword: '$draft' })],
  ['UNFLAGGED', having({ notKeyword: '$flagged' })],
  ['UNSEEN', unseen],
])

type KeyReader = (args: Arguments, options: KeyOptions) => SearchKey

const startOf = ({ year, month, day }: Day): Date => new Date(Date.UTC(year, month - 1, day))
const nextDay = (start: Date): Date => new Date(start.getTime() + DAY_MS)
const isoDay = (start: Date): string => start.toISOString().slice(0, 10)

const byDay =
  (read: (start: Date) => Condition): KeyReader =>
  (args) =>
    having(read(startOf(args.date())))

const byText =
  (read: (text: string) => Condition): KeyReader =>
  (args) =>
    having(read(args.astring()))

const secondsAgo = (args: Arguments, { now }: KeyOptions): Date => new Date(now.getTime() - args.nzNumber() * 1000)

const READERS: ReadonlyMap<string, KeyReader> = new Map<string, KeyReader>([
  ['BCC', byText((text) => ({ contains: { fields: ['bcc'], text } }))],
  ['BODY', byText((text) => ({ contains: { fields: ['body'], text } }))],
  ['CC', byText((text) => ({ contains: { fields: ['cc'], text } }))],
  ['FROM', byText((text) => ({ contains: { fields: ['from'], text } }))],
  ['SUBJECT', byText((text) => ({ contains: { fields: ['subject'], text } }))],
  ['TEXT', byText((text) => ({ containsAnywhere: text }))],
  ['TO', byText((text) => ({ contains: { fields: ['to'], text } }))],
  ['BEFORE', byDay((start) => ({ beforeDay: isoDay(start) }))],
  ['ON', byDay((start) => ({ sinceDay: isoDay(start), beforeDay: isoDay(nextDay(start)) }))],
  ['SINCE', byDay((start) => ({ sinceDay: isoDay(start) }))],
  ['SENTBEFORE', byDay((start) => ({ sentBeforeDay: isoDay(start) }))],
  ['SENTON', byDay((start) => ({ sentSinceDay: isoDay(start), sentBeforeDay: isoDay(nextDay(start)) }))],
  ['SENTSINCE', byDay((start) => ({ sentSinceDay: isoDay(start) }))],
  ['SAVEDBEFORE', byDay((start) => ({ row: { savedBefore: start } }))],
  ['SAVEDON', byDay((start) => ({ row: { savedSince: start, savedBefore: nextDay(start) } }))],
  ['SAVEDSINCE', byDay((start) => ({ row: { savedSince: start } }))],
  // RFC 5032 §3: both include the moment itself.
  ['OLDER', (args, options) => having({ before: new Date(secondsAgo(args, options).getTime() + 1) })],
  ['YOUNGER', (args, options) => having({ after: secondsAgo(args, options) })],
  ['LARGER', (args) => having({ minSize: args.number64() + 1 })],
  ['SMALLER', (args) => having({ maxSize: args.number64() })],
  ['KEYWORD', (args) => having({ hasKeyword: keywordOf(args.atom()) })],
  ['UNKEYWORD', (args) => having({ notKeyword: keywordOf(args.atom()) })],
  ['UID', (args) => ({ kind: 'set', set: args.sequenceSet(), isUid: true })],
  ['HEADER', (args) => having(readHeader(args))],
  ['MODSEQ', (args) => having({ row: { minModseq: readModseq(args) } })],
  ['EMAILID', byText((id) => ({ ids: isUuid(id) ? [id] : [] }))],
  ['THREADID', byText((id) => (isUuid(id) ? { threadId: id } : { ids: [] }))],
])

/** An empty text asks for the field alone. */
const readHeader = (args: Arguments): Condition => {
  const name = args.astring()
  args.space()
  const value = args.astring()
  return { header: { name, value: value === '' ? null : value } }
}

/** RFC 7162 §3.1.5: an entry and its kind may come first; messages have one modseq, of all that may change. */
const readModseq = (args: Arguments): number => {
  if (args.peek() === '"') {
    args.string()
    args.space()
    if (!args.takeKeyword('PRIV', 'SHARED', 'ALL')) bad('Expected priv, shared or all')
    args.space()
  }
  return args.number64()
}

/** RFC 7162 §3.1.6: the modseq of what was found is returned only to clients that asked for one. */
export const asksForModseq = (key: SearchKey): boolean => {
  if (key.kind === 'condition') return key.condition.row?.minModseq !== undefined
  if (key.kind === 'not') return asksForModseq(key.key)
  return (key.kind === 'and' || key.kind === 'or') && key.keys.some(asksForModseq)
}
