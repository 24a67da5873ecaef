import { parseSection, type Section } from '../../../formats/mime/mime.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'

/** Items that need no bytes of the message. */
export type PlainKind =
  | 'UID'
  | 'FLAGS'
  | 'INTERNALDATE'
  | 'RFC822.SIZE'
  | 'MODSEQ'
  | 'EMAILID'
  | 'THREADID'
  | 'SAVEDATE'
  | 'PREVIEW'
  | 'ENVELOPE'
  | 'BODY'
  | 'BODYSTRUCTURE'

/** `<origin.count>`; without a count, up to the end. */
export type PartialRange = { readonly origin: number; readonly count: number }

/** Bytes of a message; `label` is what the answer calls them. */
export type SectionItem = {
  readonly kind: 'section'
  readonly label: string
  readonly section: Section
  readonly partial: PartialRange | null
  /** Looking at it does not set \Seen. */
  readonly isPeek: boolean
  /** The transfer encoding is decoded (RFC 9051 §6.4.5, BINARY). */
  readonly isBinary: boolean
}
export type BinarySizeItem = { readonly kind: 'binarySize'; readonly label: string; readonly section: Section }

export type FetchItem = { readonly kind: PlainKind } | SectionItem | BinarySizeItem

export const isSection = (item: FetchItem): item is SectionItem => item.kind === 'section'

/** RFC 9051 §6.4.5 */
const MACROS: Readonly<Record<string, readonly PlainKind[]>> = {
  FAST: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'],
  ALL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'],
  FULL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODY'],
}

const PLAIN: ReadonlySet<string> = new Set<PlainKind>([
  'UID',
  'FLAGS',
  'INTERNALDATE',
  'RFC822.SIZE',
  'MODSEQ',
  'EMAILID',
  'THREADID',
  'SAVEDATE',
  'PREVIEW',
  'ENVELOPE',
  'BODY',
  'BODYSTRUCTURE',
])

/** Items of one command: each may be the whole message. */
const MAX_ITEMS = 100
/** Fields that one item names. */
const MAX_FIELDS = 1_000

/** The items that a FETCH names: a macro, one item, or a list of them. Each is given once. */
export const parseFetchItems = (args: Arguments): FetchItem[] => {
  if (args.peek() !== '(') {
    const macro = args.takeKeyword('ALL', 'FAST', 'FULL')
    if (macro) return (MACROS[macro] ?? []).map((kind) => ({ kind }))
  }
  const items = args.oneOrList(() => parseItem(args))
  if (items.length === 0) bad('Expected at least one item')
  if (items.length > MAX_ITEMS) bad('Too many items')
  return withoutTwins(items)
}

const NAME = /[A-Za-z0-9.]+/y
const isPlain = (name: string): name is PlainKind => PLAIN.has(name)

const parseItem = (args: Arguments): FetchItem => {
  const name = (args.match(NAME) ?? bad('Expected an item name')).toUpperCase()
  if (args.peek() === '[') return parseSectionItem(args, name)
  if (name === 'RFC822') return wholeItem('RFC822', '', false)
  if (name === 'RFC822.HEADER') return wholeItem('RFC822.HEADER', 'HEADER', true)
  if (name === 'RFC822.TEXT') return wholeItem('RFC822.TEXT', 'TEXT', false)
  // RFC 8970 §3.1: LAZY allows us to say that there is none yet, but there always is one.
  if (name === 'PREVIEW') args.take(' (LAZY)')
  return isPlain(name) ? { kind: name } : bad(`Unknown item ${name}`)
}

const wholeItem = (label: string, text: string, isPeek: boolean): SectionItem => ({
  kind: 'section',
  label,
  section: parseSection(text) ?? bad('Unknown section'),
  partial: null,
  isPeek,
  isBinary: false,
})

const parseSectionItem = (args: Arguments, name: string): FetchItem => {
  const [, base, option] = /^(BODY|BINARY)(?:\.(PEEK|SIZE))?$/.exec(name) ?? bad(`Unknown item ${name}`)
  const isBinary = base === 'BINARY'
  if (option === 'SIZE' && !isBinary) bad('Unknown item BODY.SIZE')
  args.expect('[')
  const { section, text } = parseSectionText(args)
  args.expect(']')
  if (option === 'SIZE') return { kind: 'binarySize', label: `BINARY.SIZE[${text}]`, section }
  const partial = parsePartial(args)
  return {
    kind: 'section',
    label: `${base}[${text}]${partial ? `<${partial.origin}>` : ''}`,
    section,
    partial,
    isPeek: option === 'PEEK',
    isBinary,
  }
}

const SECTION_TEXT = /[0-9A-Za-z.]*/y

/** A section, and how the answer names it. */
const parseSectionText = (args: Arguments): { section: Section; text: string } => {
  const text = args.match(SECTION_TEXT) ?? ''
  if (!/HEADER\.FIELDS(?:\.NOT)?$/i.test(text)) return { section: sectionOf(text), text: text.toUpperCase() }
  args.space()
  const fields = args.list(() => args.astring())
  if (fields.length === 0) bad('Expected a field name')
  if (fields.length > MAX_FIELDS) bad('Too many fields')
  const section = sectionOf(`${text} (X)`)
  return {
    section: { ...section, fields: fields.map((field) => field.toLowerCase()) },
    text: `${text.toUpperCase()} (${fields.map(formatField).join(' ')})`,
  }
}

const sectionOf = (text: string): Section => parseSection(text) ?? bad('Unknown section')

/** Field names are atoms; whatever else a client names is quoted, and found nowhere. */
const formatField = (field: string): string =>
  /^[!#$&'+-Z[^-z|}~]+$/.test(field) ? field : `"${field.replace(/[\r\n]/g, '').replace(/["\\]/g, '\\$&')}"`

const parsePartial = (args: Arguments): PartialRange | null => {
  if (!args.take('<')) return null
  const origin = args.number64()
  const count = args.take('.') ? args.number64() : Number.MAX_SAFE_INTEGER
  args.expect('>')
  return count > 0 ? { origin, count } : bad('The partial range is empty')
}

/** Removes duplicate sections; if one of them sets \Seen, the remaining one does. */
const withoutTwins = (items: readonly FetchItem[]): FetchItem[] => {
  const known = new Map<string, FetchItem>()
  for (const item of items) {
    const key = 'label' in item ? `${item.label} ${JSON.stringify('partial' in item ? item.partial : null)}` : item.kind
    const twin = known.get(key)
    if (!twin) known.set(key, item)
    else if (twin.kind === 'section' && item.kind === 'section' && !item.isPeek) known.set(key, item)
  }
  return [...known.values()]
}
