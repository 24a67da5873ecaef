import { DELIMITER } from '../../../store/store.ts'

/** Wildcards per pattern: each pattern may be tried against every folder. */
const MAX_WILDCARDS = 50

/** A pattern of LIST (RFC 9051 §6.3.9): `*` is any text, `%` any text without a delimiter. */
export type Pattern = { readonly text: string; matches(name: string): boolean }

/** Null: it has too many wildcards. */
export const compilePattern = (text: string): Pattern | null => {
  // One wildcard after another is as good as the stronger one.
  const short = text.normalize('NFC').replace(/[*%]{2,}/g, (run) => (run.includes('*') ? '*' : '%'))
  if ((short.match(/[*%]/g)?.length ?? 0) > MAX_WILDCARDS) return null
  // RFC 9051 §5.1: INBOX in any letter case is the inbox; also as the beginning of a path.
  const canonical = short.replace(new RegExp(`^inbox(?=$|[${DELIMITER}*%])`, 'i'), 'INBOX')
  return {
    text: canonical,
    matches: (name) => (name === 'INBOX' ? matchPattern(canonical.toUpperCase(), name) : matchPattern(canonical, name)),
  }
}

/** Keeps all places of the pattern that the name may have come to: nothing is tried twice. */
const matchPattern = (pattern: string, name: string): boolean => {
  if (!/[*%]/.test(pattern)) return pattern === name
  let places = withSkipped(pattern, new Set([0]))
  for (const character of name) places = step(pattern, places, character)
  return places.has(pattern.length)
}

const step = (pattern: string, places: ReadonlySet<number>, character: string): Set<number> => {
  const next = new Set<number>()
  for (const place of places) {
    const symbol = pattern[place]
    if (symbol === '*' || symbol === '%') {
      if (symbol === '*' || character !== DELIMITER) next.add(place)
    } else if (pattern.startsWith(character, place)) next.add(place + character.length)
  }
  return withSkipped(pattern, next)
}

/** A wildcard may also be nothing. */
const withSkipped = (pattern: string, places: Set<number>): Set<number> => {
  for (const place of places) if (pattern[place] === '*' || pattern[place] === '%') places.add(place + 1)
  return places
}
