import { decodeCharset } from './charsets.ts'
import { decodeWords } from './encoded-words.ts'
import { LIMITS } from './limits.ts'

/** Name (in lower case) and value of each parameter as the header has it, RFC 2231 pieces apart. */
export type Parameters = readonly (readonly [string, string])[]

export type Parameterised = { readonly value: string; readonly parameters: Parameters }

/** `value; name=value; …` as in Content-Type and Content-Disposition, quotes taken off and comments left out. */
export const parseParameterised = (text: string): Parameterised => {
  const first = bareValue(text, 0, NEXT)
  const value = withoutComments(first.value).trim()
  const parameters: [string, string][] = []
  let at = first.next
  while (at < text.length && parameters.length < LIMITS.parameters) {
    const end = text.slice(at, at + MAX_NAME).search(/[=;]/)
    if (end === -1) break
    const name = text
      .slice(at, at + end)
      .trim()
      .toLowerCase()
    at += end + 1
    if (text[at - 1] === ';') continue
    const read = readValue(text, at, /^(?:file)?name(?:\*|$)/.test(name) ? NEXT_AFTER_NAME : NEXT)
    at = read.next
    if (name !== '') parameters.push([name, read.value])
  }
  return { value, parameters }
}

/**
 * The text of a parameter: its RFC 2231 pieces joined and decoded, or its plain value with the encoded words that
 * mailers put there against the rules. Null when there is none.
 */
export const parameterValue = (parameters: Parameters, name: string): string | null => {
  let plain: string | null = null
  let extended: string | null = null
  const pieces: Piece[] = []
  for (const [key, value] of parameters) {
    if (key === name) plain ??= value
    else if (key === `${name}*`) extended ??= value
    else if (key.startsWith(`${name}*`)) addPiece(pieces, key.slice(name.length + 1), value)
  }
  if (extended !== null) return decodeExtended([{ number: 0, isEncoded: true, value: extended }])
  if (pieces.length > 0) return decodeExtended(pieces)
  return plain === null ? null : decodeWords(plain)
}

/** RFC 2231 values are short; so are names. Longer text before an equals sign is not a name. */
const MAX_NAME = 1024
const SPACES = /[ \t]*/y

type Piece = { readonly number: number; readonly isEncoded: boolean; readonly value: string }

const addPiece = (pieces: Piece[], mark: string, value: string): void => {
  const match = /^(\d{1,3})(\*?)$/.exec(mark)
  if (match && pieces.length < LIMITS.segments)
    pieces.push({ number: Number(match[1]), isEncoded: match[2] === '*', value })
}

/** RFC 2231 §3 and §4. The charset stands in the first piece; pieces may come in any order. */
const decodeExtended = (pieces: readonly Piece[]): string => {
  const sorted = pieces.toSorted((one, other) => one.number - other.number)
  const head = sorted[0]
  const marked = head?.isEncoded ? /^([^']{0,64})'[^']{0,64}'/.exec(head.value) : null
  const bytes = sorted.map(({ isEncoded, value }, index) => {
    const text = index === 0 && marked ? value.slice(marked[0].length) : value
    return isEncoded ? percentDecode(text) : Buffer.from(text, 'utf8')
  })
  if (!sorted.some((piece) => piece.isEncoded)) return decodeWords(Buffer.concat(bytes).toString('utf8'))
  return decodeCharset(Buffer.concat(bytes), marked?.[1] || 'utf-8').text
}

const percentDecode = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8')
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const hex = bytes[at] === 37 ? bytes.toString('latin1', at + 1, at + 3) : ''
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      bytes[length] = Number.parseInt(hex, 16)
      at += 2
    } else bytes[length] = bytes[at] ?? 0
    length += 1
  }
  return bytes.subarray(0, length)
}

/** Where a parameter begins whose semicolon was forgotten. */
const NEXT = /[ \t,][\w-]{1,60}(?:\*\d{0,3}\*?)?[ \t]{0,8}=/
/** Names of files that are sent bare may have spaces and equals signs: only what is well known ends them. */
const NEXT_AFTER_NAME =
  /[ \t,](?:(?:charset|name|filename|format|type|size|(?:creation|modification|read)-date)(?:\*\d{0,3}\*?)?|[\w-]{1,60}\*(?:\d{1,3}\*?)?)[ \t]{0,8}=/i

/** Everything up to the next semicolon, or to a parameter without one. */
const bareValue = (text: string, start: number, nextParameter: RegExp): { value: string; next: number } => {
  const semicolon = endOfValue(text, start)
  const all = text.slice(start, semicolon)
  if (!all.includes('=')) return { value: all, next: semicolon + 1 }
  const comment = nextParameter === NEXT ? all.indexOf('(') : -1
  const end = (comment === -1 ? all : all.slice(0, comment)).search(nextParameter)
  return end === -1 ? { value: all, next: semicolon + 1 } : { value: all.slice(0, end), next: start + end + 1 }
}

/** A value in quotes, or a bare one: names of files are often sent so. */
const readValue = (text: string, from: number, nextParameter: RegExp): { value: string; next: number } => {
  SPACES.lastIndex = from
  SPACES.test(text)
  const start = SPACES.lastIndex
  if (text[start] === '"') return readQuoted(text, start + 1)
  const bare = bareValue(text, start, nextParameter)
  // A comment at the end is one; parentheses inside are part of a name like `report (1).pdf`.
  const value = bare.value.trim()
  const comment = value.endsWith(')') ? value.search(/[ \t]\(/) : -1
  return { value: (comment === -1 ? value : value.slice(0, comment)).trim(), next: bare.next }
}

const readQuoted = (text: string, start: number): { value: string; next: number } => {
  let value = ''
  let at = start
  let run = start
  for (; at < text.length && text[at] !== '"'; at += 1) {
    const escaped = text[at] === '\\' ? text[at + 1] : undefined
    // Any other backslash is one of a path, which mailers forget to double.
    if (escaped !== '"' && escaped !== '\\') continue
    value += text.slice(run, at)
    at += 1
    run = at
  }
  value += text.slice(run, at)
  // What stands between the quote and the next semicolon means nothing, unless it is a parameter without a semicolon.
  const semicolon = endOfValue(text, at + 1)
  const rest = text.slice(at + 1, semicolon)
  const isParameter = /^[\s,]*[\w*-]{1,60}=/.test(rest)
  return { value, next: isParameter ? at + 1 + (/^[\s,]+/.exec(rest)?.[0].length ?? 0) : semicolon + 1 }
}

/** The next semicolon that is in no comment. */
const endOfValue = (text: string, from: number): number => {
  let depth = 0
  const lastEnd = text.lastIndexOf(')')
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === ';' && depth === 0) return at
    if (character === '(' && at < lastEnd && depth < LIMITS.commentDepth) depth += 1
    else if (character === ')' && depth > 0) depth -= 1
  }
  return text.length
}

const withoutComments = (text: string): string => {
  if (!text.includes('(')) return text
  let kept = ''
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    else if (character === ')' && depth > 0) depth -= 1
    else if (depth === 0) kept += character
  }
  return kept
}
