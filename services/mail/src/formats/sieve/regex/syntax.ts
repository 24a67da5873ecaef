import { namedClass } from './classes.ts'

/** A regular expression, read (POSIX extended, as the draft of the Sieve extension asks). */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: 'group'; readonly part: RegexNode; readonly index: number }

/** Code points from and to, both included. */
export type CharacterSet = { readonly ranges: readonly (readonly [number, number])[]; readonly negated: boolean }

/** Reports what is wrong with a pattern. */
export class RegexRefused extends Error {}

/** Deeper groups are refused: reading them is recursive. */
const MAX_DEPTH = 50
/** RE_DUP_MAX of POSIX. */
const MAX_REPEAT = 255

type Reader = { readonly characters: readonly string[]; at: number; groups: number }

/** Reads a pattern. Throws RegexRefused, and nothing else. */
export const readRegex = (pattern: string): { root: RegexNode; groups: number } => {
  const reader: Reader = { characters: [...pattern], at: 0, groups: 0 }
  const root = readChoice(reader, 0)
  if (reader.at < reader.characters.length) throw new RegexRefused('has a ")" without a matching "("')
  return { root, groups: reader.groups }
}

const peek = (reader: Reader): string => reader.characters[reader.at] ?? ''

const take = (reader: Reader): string => {
  const character = peek(reader)
  reader.at += 1
  return character
}

const readChoice = (reader: Reader, depth: number): RegexNode => {
  if (depth > MAX_DEPTH) throw new RegexRefused(`has groups nested deeper than ${MAX_DEPTH} levels`)
  const parts = [readSequence(reader, depth)]
  while (peek(reader) === '|') {
    reader.at += 1
    parts.push(readSequence(reader, depth))
  }
  return { kind: 'choice', parts }
}

const readSequence = (reader: Reader, depth: number): RegexNode => {
  const parts: RegexNode[] = []
  while (!['', '|', ')'].includes(peek(reader))) parts.push(readRepeated(reader, depth))
  return { kind: 'sequence', parts }
}

const readRepeated = (reader: Reader, depth: number): RegexNode => {
  let part = readAtom(reader, depth)
  for (let counts = readCounts(reader); counts; counts = readCounts(reader)) part = { kind: 'repeat', part, ...counts }
  return part
}

const INFINITE = Number.POSITIVE_INFINITY

const readCounts = (reader: Reader): { min: number; max: number } | null => {
  const next = peek(reader)
  if (next === '{') return readInterval(reader)
  if (next !== '*' && next !== '+' && next !== '?') return null
  reader.at += 1
  return { min: next === '+' ? 1 : 0, max: next === '?' ? 1 : INFINITE }
}

const readInterval = (reader: Reader): { min: number; max: number } => {
  const end = reader.characters.indexOf('}', reader.at)
  const inner = end < 0 ? '' : reader.characters.slice(reader.at + 1, Math.min(end, reader.at + 12)).join('')
  const [, from, comma, to] = /^(\d{1,3})(,?)(\d{0,3})$/.exec(inner) ?? []
  if (from === undefined || (!comma && to))
    throw new RegexRefused('has a "{" without numbers; use "{2}", "{2,}" or "{2,5}"')
  reader.at = end + 1
  const min = Number(from)
  const max = !comma ? min : to ? Number(to) : INFINITE
  if (min > MAX_REPEAT || (max !== INFINITE && (max > MAX_REPEAT || max < min)))
    throw new RegexRefused(`has numbers in "{}" that are out of order or above ${MAX_REPEAT}`)
  return { min, max }
}

const readAtom = (reader: Reader, depth: number): RegexNode => {
  const next = take(reader)
  if (next === '(') return readGroup(reader, depth)
  if (next === '[') return { kind: 'set', set: readBracket(reader) }
  if (next === '.') return { kind: 'set', set: { ranges: [], negated: true } }
  if (next === '^') return { kind: 'start' }
  if (next === '$') return { kind: 'end' }
  if (next === '*' || next === '+' || next === '?' || next === '{')
    throw new RegexRefused(`has a "${next}" with nothing to repeat`)
  return { kind: 'set', set: next === '\\' ? readEscape(reader) : only(next) }
}

const readGroup = (reader: Reader, depth: number): RegexNode => {
  if (peek(reader) === '?') throw new RegexRefused('has a "(?"; only plain groups are supported')
  reader.groups += 1
  const index = reader.groups
  const part = readChoice(reader, depth + 1)
  if (take(reader) !== ')') throw new RegexRefused('has a "(" that isn\'t closed')
  return { kind: 'group', part, index }
}

const only = (character: string): CharacterSet => {
  const code = character.codePointAt(0) ?? 0
  return { ranges: [[code, code]], negated: false }
}

/** Letters after a backslash are classes as in most engines; going back to a group cannot be done in linear time. */
const readEscape = (reader: Reader): CharacterSet => {
  const next = take(reader)
  if (next === '') throw new RegexRefused('ends with a single backslash')
  const named = { d: 'digit', w: 'word', s: 'space' }[next.toLowerCase()]
  if (named) return { ranges: namedClass(named) ?? [], negated: next !== next.toLowerCase() }
  if (/[A-Za-z0-9<>]/.test(next)) throw new RegexRefused(`has "\${next}", which isn't supported`)
  return only(next)
}

const readBracket = (reader: Reader): CharacterSet => {
  const negated = peek(reader) === '^'
  if (negated) reader.at += 1
  const ranges: (readonly [number, number])[] = []
  for (let isFirst = true; isFirst || peek(reader) !== ']'; isFirst = false) {
    if (peek(reader) === '') throw new RegexRefused('has a "[" that isn\'t closed')
    ranges.push(...readBracketItem(reader))
  }
  reader.at += 1
  return { ranges, negated }
}

const readBracketItem = (reader: Reader): (readonly [number, number])[] => {
  const from = take(reader)
  const kind = peek(reader)
  if (from === '[' && (kind === ':' || kind === '.' || kind === '=')) return readNamed(reader, kind)
  const low = from.codePointAt(0) ?? 0
  const after = reader.characters[reader.at + 1] ?? ''
  if (kind !== '-' || after === ']' || after === '') return [[low, low]]
  reader.at += 1
  const high = take(reader).codePointAt(0) ?? 0
  if (high < low) throw new RegexRefused('has a range in "[]" that is in the wrong order')
  return [[low, high]]
}

const readNamed = (reader: Reader, kind: string): (readonly [number, number])[] => {
  const start = reader.at + 1
  let end = start
  while (
    end < reader.characters.length &&
    end < start + 20 &&
    !(reader.characters[end] === kind && reader.characters[end + 1] === ']')
  )
    end += 1
  const name = reader.characters.slice(start, end).join('')
  reader.at = end + 2
  const found = kind === ':' ? namedClass(name) : [...name].length === 1 ? only(name).ranges : null
  if (!found) throw new RegexRefused(`has "[${kind}${name.slice(0, 12)}${kind}]", which isn't supported`)
  return [...found]
}
