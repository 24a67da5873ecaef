import { isUtf8 } from 'node:buffer'
import { bad } from './bad-command.ts'
import { type Day, parseDateTime, parseDay, type ZonedTime } from './dates.ts'
import { decodeMailboxName } from './mailbox-name.ts'
import type { Literal, Segment } from './segments.ts'
import { parseSequenceSet, SEQUENCE_SET, type SequenceSet, STAR } from './sequence-set.ts'

/**
 * Reads the arguments of one command from left to right (RFC 9051 §9). What does not fit is a `BadCommand`. Spaces are
 * read by the caller that reads what they separate.
 */
export type Arguments = {
  /** The next character, `{` for a literal, empty at the end. */
  peek(): string
  isAtEnd(): boolean
  /** There must be nothing more. */
  end(): void
  space(): void
  /** Reads this text if it comes next, in any letter case. */
  take(text: string): boolean
  expect(text: string): void
  /** Reads the next word if it is one of these, in any letter case; gives it as it stands here. */
  takeKeyword<W extends string>(...words: readonly W[]): W | null
  /** An atom in upper case: names of items and options. */
  keyword(): string
  atom(): string
  /** An atom, also with `]`, or a string. */
  astring(): string
  string(): string
  nstring(): string | null
  /** An astring as bytes, for text in any charset. */
  astringBytes(): Buffer
  number(): number
  /** Not zero. */
  nzNumber(): number
  /** A 63-bit number, as far as JavaScript numbers are exact. */
  number64(): number
  /** `(a b c)`, also empty. */
  list<T>(read: () => T): T[]
  /** One, or a list of some. */
  oneOrList<T>(read: () => T): T[]
  sequenceSet(): SequenceSet
  /** One number, or `*`. */
  sequenceNumber(): number
  /** A day, quoted or not. */
  date(): Day
  dateTime(): ZonedTime
  /** `\Seen` or a keyword, as it was written. */
  flag(): string
  flagList(): string[]
  /** The name of a folder as people see it; `NO_NAME` if there can be none. */
  mailbox(): string
  /** A mailbox name that may contain wildcards, for LIST. */
  listMailbox(): string
  literal(): Literal
  /** Reads what matches, from here; the expression must be sticky. */
  match(expression: RegExp): string | null
  /** Refuses what is too deep inside of brackets: call it around anything that may hold itself. */
  nested<T>(read: () => T): T
}

/** Brackets inside of brackets. */
const MAX_DEPTH = 50
/** Members of one list. */
const MAX_MEMBERS = 10_000

// Printable ASCII without what RFC 9051 §9 sets apart.
const ATOM = /[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+/y
const ASTRING = /[!#$&'+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]+/y
const LIST_MAILBOX = /[!#$%&'*+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]+/y
const UTF8_LIST_MAILBOX = /[!#$%&'*+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~\x80-\xff]+/y
const QUOTED = /"((?:[^\r\n"\\]|\\["\\])*)"/y
const FLAG = /\\?[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+/y
const DIGITS = /[0-9]+/y
const DATE = /[0-9A-Za-z-]+/y

/** Arguments of a command. `isUtf8`: names are UTF-8, not modified UTF-7. */
export const readArguments = (segments: readonly Segment[], options: { isUtf8: boolean }): Arguments => {
  let index = 0
  let at = 0
  let depth = 0

  const text = (): string => {
    const segment = segments[index]
    return typeof segment === 'string' ? segment : ''
  }
  const settle = (): void => {
    const segment = segments[index]
    if (typeof segment === 'string' && at >= segment.length && index < segments.length - 1) {
      index += 1
      at = 0
    }
  }
  const match = (expression: RegExp): string | null => {
    expression.lastIndex = at
    const found = expression.exec(text())
    if (!found) return null
    at += found[0].length
    settle()
    return found[1] ?? found[0]
  }
  const need = (expression: RegExp, what: string): string => match(expression) ?? bad(`Expected ${what}`)
  const peek = (): string => {
    const segment = segments[index]
    return typeof segment === 'string' ? segment.charAt(at) : segment ? '{' : ''
  }
  const take = (wanted: string): boolean => {
    const isNext =
      text()
        .slice(at, at + wanted.length)
        .toUpperCase() === wanted.toUpperCase()
    if (!isNext) return false
    at += wanted.length
    settle()
    return true
  }
  const expect = (wanted: string): void => {
    if (!take(wanted)) bad(`Expected ${wanted === ' ' ? 'a space' : wanted}`)
  }
  const literal = (): Literal => {
    const segment = segments[index]
    if (segment === undefined || typeof segment === 'string') return bad('Expected a literal')
    index += 1
    at = 0
    settle()
    return segment
  }
  const stringBytes = (): Buffer => {
    if (peek() === '{') {
      const found = literal()
      return 'bytes' in found ? found.bytes : bad('The literal is too large')
    }
    const quoted = need(QUOTED, 'a string')
    if (quoted.includes('\0')) bad(NO_NUL)
    return Buffer.from(quoted.includes('\\') ? quoted.replace(/\\(.)/g, '$1') : quoted, 'latin1')
  }
  const string = (): string => textOf(stringBytes())
  const number = (max: number): number => {
    const digits = need(DIGITS, 'a number')
    const value = Number(digits)
    return digits.length <= 19 && value <= max ? value : bad('The number is too large')
  }
  const nzNumber = (): number => number(2 ** 32 - 1) || bad('Zero is not allowed here')
  const isString = (): boolean => peek() === '"' || peek() === '{'
  const astring = (): string => (isString() ? string() : need(ASTRING, 'a word or a string'))
  const astringBytes = (): Buffer =>
    isString() ? stringBytes() : Buffer.from(need(ASTRING, 'a word or a string'), 'latin1')
  const nameOf = (bytes: Buffer): string =>
    options.isUtf8 ? textOf(bytes) : decodeMailboxName(bytes.toString('latin1'))
  const nested = <T>(read: () => T): T => {
    depth += 1
    if (depth > MAX_DEPTH) bad('Nested too deeply')
    const value = read()
    depth -= 1
    return value
  }
  const list = <T>(read: () => T): T[] =>
    nested(() => {
      const members: T[] = []
      expect('(')
      while (!take(')')) {
        if (members.length > 0) expect(' ')
        // Some clients write `(a b )`.
        if (take(')')) break
        if (members.length >= MAX_MEMBERS) bad('The list is too long')
        members.push(read())
      }
      return members
    })
  const flag = (): string => need(FLAG, 'a flag')

  settle()
  return {
    peek,
    isAtEnd: () => peek() === '',
    end: () => {
      if (peek() !== '') bad('Too many arguments')
    },
    space: () => expect(' '),
    take,
    expect,
    takeKeyword: (...words) => {
      ATOM.lastIndex = at
      const found = ATOM.exec(text())?.[0]
      const word = found === undefined ? undefined : words.find((each) => each.toUpperCase() === found.toUpperCase())
      if (word === undefined) return null
      take(word)
      return word
    },
    keyword: () => need(ATOM, 'a word').toUpperCase(),
    atom: () => need(ATOM, 'a word'),
    astring,
    string,
    nstring: () => (!isString() && take('NIL') ? null : string()),
    astringBytes,
    number: () => number(2 ** 32 - 1),
    nzNumber,
    number64: () => number(Number.MAX_SAFE_INTEGER),
    list,
    oneOrList: (read) => (peek() === '(' ? list(read) : [read()]),
    sequenceNumber: () => (take('*') ? STAR : nzNumber()),
    sequenceSet: () => parseSequenceSet(need(SEQUENCE_SET, 'a message set')),
    date: () => parseDay(peek() === '"' ? string() : need(DATE, 'a date')),
    dateTime: () => parseDateTime(string()),
    flag,
    flagList: () => list(flag),
    mailbox: () => nameOf(astringBytes()),
    listMailbox: () => {
      if (isString()) return nameOf(stringBytes())
      const word = need(options.isUtf8 ? UTF8_LIST_MAILBOX : LIST_MAILBOX, 'a folder name')
      return nameOf(Buffer.from(word, 'latin1'))
    },
    literal,
    match,
    nested,
  }
}

const NO_NUL = 'NUL is not allowed here'

const textOf = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) return bad('Text must be UTF-8')
  const text = bytes.toString('utf8')
  return text.includes('\0') ? bad(NO_NUL) : text
}
