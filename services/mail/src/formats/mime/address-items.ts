import { LIMITS } from './limits.ts'

/** A word of a phrase or address, in the order of the header. */
export type AddressWord = {
  readonly text: string
  readonly isQuoted: boolean
  /** No space or comment separates it from the word before. */
  readonly isGlued: boolean
}

/** The text between two commas: words, comments and the text between angle brackets. */
export type AddressItem = {
  readonly words: AddressWord[]
  readonly comments: string[]
  angle: string | null
  /** A word outside of quotes has an at sign. */
  hasAddress: boolean
}

export type AddressEvent =
  | { readonly kind: 'item'; readonly item: AddressItem }
  | { readonly kind: 'group'; readonly item: AddressItem }
  | { readonly kind: 'groupEnd' }

type Scan = {
  readonly text: string
  at: number
  item: AddressItem
  isInGroup: boolean
  isGlued: boolean
  items: number
  readonly events: AddressEvent[]
}

const newItem = (): AddressItem => ({ words: [], comments: [], angle: null, hasAddress: false })

/** Splits an address list into its items and groups (RFC 5322 §3.4 with §4.4), reading each character once. */
export const scanAddresses = (text: string): AddressEvent[] => {
  const scan: Scan = { text, at: 0, item: newItem(), isInGroup: false, isGlued: false, items: 0, events: [] }
  while (scan.at < text.length && scan.items < LIMITS.addresses) {
    const character = text[scan.at] ?? ''
    const reader = READERS[character]
    if (reader) reader(scan)
    else readAtom(scan)
  }
  endItem(scan)
  if (scan.isInGroup) scan.events.push({ kind: 'groupEnd' })
  return scan.events
}

const endItem = (scan: Scan): void => {
  const { item } = scan
  scan.isGlued = false
  if (item.words.length === 0 && item.angle === null && item.comments.length === 0) return
  scan.events.push({ kind: 'item', item })
  scan.items += 1
  scan.item = newItem()
}

const addWord = (scan: Scan, text: string, isQuoted: boolean): void => {
  // `<a@b> c@d` and `<a@b> Name <c@d>`: a comma was forgotten.
  if (scan.item.angle !== null) endItem(scan)
  scan.item.words.push({ text, isQuoted, isGlued: scan.isGlued })
  if (!isQuoted && text.includes('@')) scan.item.hasAddress = true
  scan.isGlued = true
}

const readAtom = (scan: Scan): void => {
  ATOM.lastIndex = scan.at
  const text = ATOM.exec(scan.text)?.[0] ?? scan.text[scan.at] ?? ''
  scan.at += text.length
  addWord(scan, text, false)
}

const ATOM = /[^\s"(),:;<>[]+|[>]+/y

const readSpace = (scan: Scan): void => {
  scan.at += 1
  scan.isGlued = false
}

const readQuoted = (scan: Scan): void => {
  const { text, next } = unquote(scan.text, scan.at + 1)
  scan.at = next
  addWord(scan, text, true)
}

/** A domain literal: `user@[192.0.2.1]`, `user@[IPv6:2001:db8::1]`. */
const readLiteral = (scan: Scan): void => {
  const end = scan.text.slice(scan.at, scan.at + 255).search(/[\]<>,;]/)
  const isClosed = end > 0 && scan.text[scan.at + end] === ']'
  const text = isClosed ? scan.text.slice(scan.at, scan.at + end + 1) : '['
  scan.at += text.length
  addWord(scan, text, false)
}

const readComment = (scan: Scan): void => {
  const { text, next } = comment(scan.text, scan.at)
  scan.at = next
  scan.isGlued = false
  scan.item.comments.push(text)
}

const readAngle = (scan: Scan): void => {
  if (scan.item.angle !== null) endItem(scan)
  const start = scan.at + 1
  const isRoute = /^\s{0,20}@/.test(scan.text.slice(start, start + 21))
  let at = start
  for (; at < scan.text.length; at += 1) {
    const character = scan.text[at]
    if (character === '>' || character === '<') break
    // Only a route has commas; otherwise somebody forgot to close the bracket.
    if ((character === ',' || character === ';') && !isRoute) break
    if (character === '"') at = unquote(scan.text, at + 1).next - 1
  }
  scan.item.angle = scan.text.slice(start, at)
  scan.at = scan.text[at] === '>' ? at + 1 : at
  scan.isGlued = false
}

const readComma = (scan: Scan): void => {
  scan.at += 1
  endItem(scan)
}

const readSemicolon = (scan: Scan): void => {
  scan.at += 1
  endItem(scan)
  if (scan.isInGroup) scan.events.push({ kind: 'groupEnd' })
  scan.isInGroup = false
}

const readColon = (scan: Scan): void => {
  const { item } = scan
  const isName = item.angle === null && item.words.length > 0 && !item.hasAddress
  if (scan.isInGroup || !isName) {
    scan.at += 1
    // `mailto:` and other things that are no group.
    if (item.angle === null && item.words.length > 0) addWord(scan, ':', false)
    return
  }
  scan.at += 1
  scan.isInGroup = true
  scan.isGlued = false
  scan.item = newItem()
  scan.events.push({ kind: 'group', item })
}

export const isAddressWord = (word: AddressWord): boolean => !word.isQuoted && word.text.includes('@')

const READERS: Readonly<Record<string, ((scan: Scan) => void) | undefined>> = {
  ' ': readSpace,
  '\t': readSpace,
  '\n': readSpace,
  '\r': readSpace,
  '"': readQuoted,
  '(': readComment,
  '<': readAngle,
  '[': readLiteral,
  ',': readComma,
  ';': readSemicolon,
  ':': readColon,
}

/** The text of a quoted string after its opening quote. One that is never closed ends with the text. */
const unquote = (text: string, start: number): { text: string; next: number } => {
  let value = ''
  let at = start
  for (; at < text.length && text[at] !== '"'; at += 1) {
    if (text[at] === '\\' && at + 1 < text.length) at += 1
    value += text[at]
  }
  return { text: value, next: at + 1 }
}

/** The text of a comment, which may hold others. */
const comment = (text: string, start: number): { text: string; next: number } => {
  let value = ''
  let depth = 0
  let at = start
  for (; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '(' && depth < LIMITS.commentDepth) depth += 1
    else if (character === ')') depth -= 1
    if (depth === 0) break
    if (character === '\\' && at + 1 < text.length) at += 1
    value += text[at]
  }
  return { text: value.slice(1), next: at + 1 }
}
