import { type Fold, fold } from './fold.ts'
import { diffItems, likeness, type Run } from './runs.ts'
import { diffWords, wordsOf } from './words.ts'

/** A line of the comparison; `words` say what changed inside. */
export type LineRow = { kind: 'same'; text: string } | { kind: 'removed' | 'added'; words: readonly Run<string>[] }

/** Two lines with less in common are not two states of one line. */
const ALIKE = 0.4
/** Words of longer lines are not compared. */
const MAX_LINE = 5_000
/** Lines around a change that are shown with it. */
const CONTEXT = 2

/** What changed in a text, line by line and inside the lines word by word. */
export const diffLines = (before: string, after: string): LineRow[] => {
  const runs = diffItems(before.split('\n'), after.split('\n'), (line) => line)
  return runs.flatMap((run, at): LineRow[] => {
    if (run.kind === 'same') return run.items.map((text) => ({ kind: 'same', text }))
    const { kind } = run
    const [previous, next] = [runs[at - 1], runs[at + 1]]
    // Shown together with the previous one
    if (previous && previous.kind !== 'same') return []
    if (!next || next.kind === 'same') return run.items.map((text) => whole(kind, text))
    return kind === 'removed' ? replaced(run.items, next.items) : replaced(next.items, run.items)
  })
}

/** Leaves out what is the same far from any change. */
export const foldLines = (rows: readonly LineRow[]): (LineRow | Fold)[] => fold(rows, CONTEXT)

const whole = (kind: 'removed' | 'added', text: string): LineRow => ({ kind, words: [{ kind, items: [text] }] })

/** Lines that took the place of others, each beside its own while they are alike. */
const replaced = (removed: readonly string[], added: readonly string[]): LineRow[] => {
  const old: LineRow[] = []
  const present: LineRow[] = []
  for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
    const [before, after] = [removed[at], added[at]]
    const words = before !== undefined && after !== undefined ? inside(before, after) : null
    if (before !== undefined) old.push(words ? sideOf(words, 'removed') : whole('removed', before))
    if (after !== undefined) present.push(words ? sideOf(words, 'added') : whole('added', after))
  }
  return [...old, ...present]
}

const inside = (before: string, after: string): Run<string>[] | null => {
  if (before.length > MAX_LINE || after.length > MAX_LINE) return null
  return likeness(spoken(before), spoken(after)) >= ALIKE ? diffWords(before, after) : null
}

const spoken = (line: string): string[] => wordsOf(line).filter((word) => word.trim() !== '')

const sideOf = (words: readonly Run<string>[], side: 'removed' | 'added'): LineRow => ({
  kind: side,
  words: words.filter(({ kind }) => kind === 'same' || kind === side),
})
