/** A pattern, read: what stands after what, instead of what, and how often. */
export type PatternNode =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }

/** Says what the pattern must not use. */
export class PatternRefused extends Error {}

/** Reads a valid regular expression (flag u), and refuses what cannot be followed in linear time or is not needed. */
export const readPattern = (pattern: string): PatternNode => readChoice({ pattern, at: 0 }, true)

/** True when something in it repeats. */
const hasRepeat = (node: PatternNode): boolean => {
  if (node.kind === 'repeat') return true
  return node.kind !== 'character' && node.parts.some(hasRepeat)
}

type Reader = { readonly pattern: string; at: number }

const ESCAPE =
  /\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|.)/isuy
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy
const CHARACTER = /./suy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy
const GROUP = /\((?:\?:|\?<[A-Za-z_$][\w$]*>|(?!\?))/uy

const take = (reader: Reader, what: RegExp): RegExpExecArray | null => {
  what.lastIndex = reader.at
  const found = what.exec(reader.pattern)
  if (found) reader.at += found[0].length
  return found
}

const nextOf = (reader: Reader): string => reader.pattern.charAt(reader.at)

const readChoice = (reader: Reader, isOutermost: boolean): PatternNode => {
  const first = readSequence(reader, isOutermost)
  const parts = [first]
  while (nextOf(reader) === '|') {
    reader.at += 1
    parts.push(readSequence(reader, isOutermost))
  }
  return parts.length === 1 ? first : { kind: 'choice', parts }
}

/** The whole value has to match, so that ^ and $ at the outer ends say nothing. */
const readSequence = (reader: Reader, isOutermost: boolean): PatternNode => {
  const parts: PatternNode[] = []
  if (isOutermost && nextOf(reader) === '^') reader.at += 1
  while (!['', '|', ')'].includes(nextOf(reader))) {
    const isLast = ['', '|'].includes(reader.pattern.charAt(reader.at + 1))
    if (isOutermost && isLast && nextOf(reader) === '$') reader.at += 1
    else parts.push(readRepeated(reader))
  }
  return { kind: 'sequence', parts }
}

const readRepeated = (reader: Reader): PatternNode => {
  const part = readAtom(reader)
  const found = take(reader, QUANTIFIER)
  if (!found) return part
  const { min, max } = readCounts(found)
  if (max > 1 && hasRepeat(part)) throw new PatternRefused('must not nest repetitions, as in (a+)+')
  return { kind: 'repeat', part, min, max }
}

const readCounts = ([, sign, from, comma, to]: RegExpExecArray): { min: number; max: number } => {
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  const min = Number(from)
  if (comma === undefined) return { min, max: min }
  return { min, max: to ? Number(to) : Number.POSITIVE_INFINITY }
}

const readAtom = (reader: Reader): PatternNode => {
  const next = nextOf(reader)
  if (next === '(') return readGroup(reader)
  if (next === '^' || next === '$')
    throw new PatternRefused('must have ^ only at its start and $ only at its end; the whole value has to match anyway')
  const source = take(reader, next === '\\' ? ESCAPE : next === '[' ? CLASS : CHARACTER)?.[0] ?? ''
  if (/^\\[1-9k]/.test(source)) throw new PatternRefused('must not use backreferences, as in \\1')
  if (/^\\b$/i.test(source)) throw new PatternRefused('must not use \\b; the whole value has to match anyway')
  return { kind: 'character', source }
}

const readGroup = (reader: Reader): PatternNode => {
  if (!take(reader, GROUP))
    throw new PatternRefused('must not use lookaheads, lookbehinds or flags, as in (?=a) and (?i:a)')
  const inner = readChoice(reader, false)
  reader.at += 1
  return inner
}
