import type { Comparator } from '../define.ts'
import { indexOf } from './search.ts'

/** A pattern between two stars. */
type Segment = { readonly items: readonly (string | typeof ANY)[]; readonly literal: string | null }
const ANY = Symbol('any character')

/** Takes operations from a budget. */
export type Spend = (operations: number) => void

/** How a comparator sees characters. */
type Folding = Pick<Comparator, 'fold' | 'characters'>

/**
 * Matches the whole text with a pattern of `*`, `?` and `\` (RFC 5228 §2.7.1). Every star takes as little as possible
 * (RFC 5229 §3.2). Answers what each wildcard took, or null.
 */
export const matchWildcards = (text: string, pattern: string, folding: Folding, spend: Spend): string[] | null => {
  const [first, ...rest] = segmentsOf(pattern, folding)
  if (!first) return null
  const value = charactersOf(text, folding)
  spend((text.length + pattern.length) / 64)
  const taken: string[] = []
  let at = matchAt(value, first, 0)
  if (at < 0) return null
  take(value, first, 0, taken)
  for (const [index, segment] of rest.entries()) {
    const isLast = index === rest.length - 1
    const start = isLast ? value.units.length - segment.items.length : findSegment(value, segment, at, spend)
    if (start < at || matchAt(value, segment, start) < 0) return null
    taken.push(value.slice(at, start))
    take(value, segment, start, taken)
    at = start + segment.items.length
  }
  return at === value.units.length ? taken : null
}

/** Characters, not halves of them, where the text has some outside the basic plane. */
type Value = {
  readonly units: ArrayLike<string>
  readonly text: string | null
  slice(from: number, to: number): string
}

const charactersOf = (text: string, { fold, characters }: Folding): Value => {
  if (!characters && !/[\ud800-\udfff]/.test(text)) {
    const folded = fold(text)
    return { units: folded, text: folded, slice: (from, to) => text.slice(from, to) }
  }
  const shown = characters?.(text) ?? [...text]
  return { units: shown.map(fold), text: null, slice: (from, to) => shown.slice(from, to).join('') }
}

/** A pattern is read before it is folded: a sign that folds to a star is none. */
const segmentsOf = (pattern: string, folding: Folding): Segment[] => {
  const segments: (string | typeof ANY)[][] = [[]]
  let literal = ''
  const endLiteral = (): void => {
    for (const character of folding.characters?.(literal) ?? literal) segments.at(-1)?.push(folding.fold(character))
    literal = ''
  }
  let isEscaped = false
  for (const character of pattern) {
    const isWildcard = !isEscaped && (character === '*' || character === '?')
    if (isWildcard) endLiteral()
    if (isWildcard && character === '*') segments.push([])
    else if (isWildcard) segments.at(-1)?.push(ANY)
    else if (isEscaped || character !== '\\') literal += character
    isEscaped = !isEscaped && character === '\\'
  }
  // A backslash at the end quotes nothing and stands for itself.
  if (isEscaped) literal += '\\'
  endLiteral()
  return segments.map((items) => ({ items, literal: items.includes(ANY) ? null : items.join('') }))
}

const matchAt = ({ units }: Value, { items }: Segment, start: number): number => {
  if (start + items.length > units.length) return -1
  for (let index = 0; index < items.length; index += 1)
    if (items[index] !== ANY && items[index] !== units[start + index]) return -1
  return start + items.length
}

const findSegment = (value: Value, segment: Segment, from: number, spend: Spend): number => {
  if (segment.literal !== null && value.text !== null) return indexOf(value.text, segment.literal, from)
  for (let at = from; at + segment.items.length <= value.units.length; at += 1) {
    spend(segment.items.length / 64)
    if (matchAt(value, segment, at) >= 0) return at
  }
  return -1
}

const take = (value: Value, { items }: Segment, start: number, taken: string[]): void => {
  for (const [index, item] of items.entries())
    if (item === ANY) taken.push(value.slice(start + index, start + index + 1))
}
