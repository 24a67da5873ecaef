import { quoted, SieveSyntaxError } from './problems.ts'

/** A word of a script, with its offset. `text` of a tag has no colon, that of a string no quotes. */
export type Token =
  | { readonly kind: 'identifier' | 'tag' | 'string'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: Mark; readonly at: number }
  | { readonly kind: 'end'; readonly at: number }

const marks = ['(', ')', '[', ']', '{', '}', ',', ';'] as const
export type Mark = (typeof marks)[number]

/** RFC 5228 §8.1: 31 bits are the least that has to be understood; larger numbers are refused, not wrapped. */
const MAX_NUMBER = 2_147_483_647

/** The words of a script (RFC 5228 §8.1). Throws SieveSyntaxError, and nothing else. */
export const readTokens = (source: string): Token[] => {
  const tokens: Token[] = []
  let at = source.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    at = skipBlank(source, at)
    if (at >= source.length) break
    const [token, end] = readToken(source, at)
    tokens.push(token)
    at = end
  }
  tokens.push({ kind: 'end', at: source.length })
  return tokens
}

type Found = readonly [token: Token, end: number]

const skipBlank = (source: string, from: number): number => {
  let at = from
  for (;;) {
    const next = source.charAt(at)
    if (next === ' ' || next === '\t' || next === '\r' || next === '\n') at += 1
    else if (next === '#') at = endOf(source, '\n', at)
    else if (next === '/' && source.charAt(at + 1) === '*') at = skipBracketComment(source, at)
    else return at
  }
}

const endOf = (source: string, what: string, from: number): number => {
  const found = source.indexOf(what, from)
  return found < 0 ? source.length : found + what.length
}

const skipBracketComment = (source: string, at: number): number => {
  if (source.indexOf('*/', at + 2) < 0) throw new SieveSyntaxError(at, "this comment isn't closed with */")
  return endOf(source, '*/', at + 2)
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /[0-9]+/y
const MULTILINE = /text:[ \t]*(?:#[^\n]*|\r)?\n/iy

const readToken = (source: string, at: number): Found => {
  const next = source.charAt(at)
  const mark = marks.find((known) => known === next)
  if (mark) return [{ kind: mark, at }, at + 1]
  if (next === '"') return readQuoted(source, at)
  if (next === ':') return readTag(source, at)
  if (next >= '0' && next <= '9') return readNumber(source, at)
  const multiline = take(MULTILINE, source, at)
  if (multiline !== null) return readMultiline(source, at, at + multiline.length)
  const word = take(WORD, source, at)
  if (word !== null) return [{ kind: 'identifier', text: word.toLowerCase(), at }, at + word.length]
  throw new SieveSyntaxError(at, `${quoted(String.fromCodePoint(source.codePointAt(at) ?? 0))} isn't allowed here`)
}

const take = (what: RegExp, source: string, at: number): string | null => {
  what.lastIndex = at
  return what.exec(source)?.[0] ?? null
}

const readTag = (source: string, at: number): Found => {
  const word = take(WORD, source, at + 1)
  if (word === null) throw new SieveSyntaxError(at, 'a name must follow the colon')
  return [{ kind: 'tag', text: word.toLowerCase(), at }, at + 1 + word.length]
}

const units: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

const readNumber = (source: string, at: number): Found => {
  const digits = take(NUMBER, source, at) ?? ''
  let end = at + digits.length
  const unit = units[source.charAt(end).toLowerCase()]
  if (unit !== undefined) end += 1
  if (take(WORD, source, end) !== null)
    throw new SieveSyntaxError(at, 'a number can only be followed by K, M or G as its unit')
  const value = Number(digits) * (unit ?? 1)
  if (value > MAX_NUMBER) throw new SieveSyntaxError(at, `this number is larger than ${MAX_NUMBER}`)
  return [{ kind: 'number', value, at }, end]
}

const readQuoted = (source: string, at: number): Found => {
  const parts: string[] = []
  let from = at + 1
  for (let here = from; here < source.length; here += 1) {
    const next = source.charAt(here)
    if (next === '"') {
      parts.push(source.slice(from, here))
      return [stringToken(parts.join(''), at), here + 1]
    }
    if (next !== '\\') continue
    parts.push(source.slice(from, here))
    here += 1
    from = here
  }
  throw new SieveSyntaxError(at, 'this string isn\'t closed with "')
}

/** RFC 5228 §2.4.2: the text ends with a line of one dot; a dot that starts a line is written twice. */
const readMultiline = (source: string, at: number, start: number): Found => {
  const lines: string[] = []
  for (let from = start; from < source.length; ) {
    const end = endOf(source, '\n', from)
    const line = source.slice(from, end)
    if (/^\.\r?\n?$/.test(line)) return [stringToken(lines.join(''), at), end]
    lines.push(line.startsWith('..') ? line.slice(1) : line)
    from = end
  }
  throw new SieveSyntaxError(at, "this text isn't closed with a line that contains only a dot")
}

/** Lines inside strings end as in mail, however the script's own lines end (RFC 5228 §2.4.2). */
const stringToken = (text: string, at: number): Token => {
  if (text.includes('\0')) throw new SieveSyntaxError(at, "a string can't contain a NUL character")
  return { kind: 'string', text: text.includes('\n') ? text.replace(/\r?\n/g, '\r\n') : text, at }
}
