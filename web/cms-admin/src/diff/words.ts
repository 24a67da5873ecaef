import { diffItems, type Run } from './runs.ts'

/** A word, a number or time, a space or a sign; scripts without spaces between words by character. */
const WORD =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{N}+(?:[.,:]\p{N}+)+|[\p{L}\p{N}\p{M}_]+(?:['’-][\p{L}\p{N}\p{M}_]+)*|./gsu

export const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? []

/** What changed in a text, word by word. */
export const diffWords = (before: string, after: string): Run<string>[] =>
  joinAcrossSpaces(
    diffItems(wordsOf(before), wordsOf(after), (word) => word),
    (word) => word.trim() === '',
  )

/**
 * "the big dog" to "a small cat" is one change, not three with spaces between: what is the same and empty between changes
 * belongs to both.
 */
export const joinAcrossSpaces = <T>(runs: readonly Run<T>[], isSpace: (item: T) => boolean): Run<T>[] => {
  const joined: Run<T>[] = []
  let removed: readonly T[] = []
  let added: readonly T[] = []
  const flush = () => {
    if (removed.length > 0) joined.push({ kind: 'removed', items: removed })
    if (added.length > 0) joined.push({ kind: 'added', items: added })
    removed = []
    added = []
  }
  for (const [at, run] of runs.entries()) {
    const isJoined = run.kind === 'same' && removed.length > 0 && added.length > 0 && isBridge(runs, at, isSpace)
    if (run.kind === 'same' && !isJoined) {
      flush()
      joined.push(run)
    }
    if (run.kind === 'removed' || isJoined) removed = [...removed, ...run.items]
    if (run.kind === 'added' || isJoined) added = [...added, ...run.items]
  }
  flush()
  return joined
}

/** A space with words removed and added on its other side, too. */
const isBridge = <T>(runs: readonly Run<T>[], at: number, isSpace: (item: T) => boolean): boolean => {
  const next = [runs[at + 1]?.kind, runs[at + 2]?.kind]
  return (runs[at]?.items.every(isSpace) ?? false) && next.includes('removed') && next.includes('added')
}
