import { foldText } from './text-forms.ts'
import { queryWords, RUN, shorten, splitRun } from './words.ts'

/** A match in a text, in order; `end` is exclusive. */
export type Match = { readonly start: number; readonly end: number }

/** More of a text is not looked at: nobody would read so many marks. */
const MAX_MATCHES = 200

/** Finds words in a text by the rules of searching: forms of letters make no difference. */
export const findMatches = (text: string, wanted: readonly string[]): Match[] => {
  const words = wanted.flatMap((each) => queryWords(each) ?? [])
  const exact = new Set(words.filter(({ isPrefix }) => !isPrefix).map(({ word }) => word))
  const prefixes = words.filter(({ isPrefix }) => isPrefix).map(({ word }) => word)
  const matches: { start: number; end: number }[] = []
  const add = (start: number, end: number): void => {
    const last = matches.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else matches.push({ start, end })
  }
  for (const run of text.matchAll(RUN)) {
    if (matches.length >= MAX_MATCHES) break
    let at = run.index
    for (const { text: piece, isUnspaced } of splitRun(run[0])) {
      if (isUnspaced) for (const { start, end } of unspacedMatches(piece, exact, prefixes)) add(at + start, at + end)
      else if (isWanted(shorten(foldText(piece)), exact, prefixes)) add(at, at + piece.length)
      at += piece.length
    }
  }
  return matches
}

const isWanted = (folded: string, exact: ReadonlySet<string>, prefixes: readonly string[]): boolean =>
  exact.has(folded) || prefixes.some((prefix) => folded.startsWith(prefix))

/** Words of scripts without spaces are pairs of characters. */
function* unspacedMatches(
  piece: string,
  exact: ReadonlySet<string>,
  prefixes: readonly string[],
): Generator<{ start: number; end: number }> {
  const characters = [...piece]
  let start = 0
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? ''
    const length = isWanted(foldText(character), new Set(), prefixes) ? character.length : 0
    if (exact.has(foldText(character + next))) yield { start, end: start + character.length + next.length }
    else if (length > 0) yield { start, end: start + length }
    start += character.length
  }
}
