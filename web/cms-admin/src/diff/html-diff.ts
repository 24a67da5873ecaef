import { type Fold, fold } from './fold.ts'
import { type Block, blockKey, blocksOf, type Inline, inlineKey, wordInlines } from './html-blocks.ts'
import { diffItems, likeness, type Run } from './runs.ts'
import { joinAcrossSpaces } from './words.ts'

/** A line of rich text and how it changed. */
export type BlockRow =
  | { kind: 'same' | 'added' | 'removed'; block: Block }
  /** `was` is there when it was another kind of line. */
  | { kind: 'changed'; block: Block; was?: Block; runs: readonly Run<Inline>[] }

/** Lines with less in common are not two states of one line. */
const ALIKE = 0.4
/** Pairs of lines that are compared with each other in one place; beyond it the first with the first, and so on. */
const MAX_COMPARED = 2_500
/** Words that are compared one by one in a text; what is beyond it goes and comes as whole lines. */
const MAX_WORDS = 40_000
/** Edits in one line; more is another line. */
const MAX_EDITS = 800
/** The search for edits grows with their square: so much of it in a text; lines beyond it go and come as a whole. */
const MAX_EFFORT = 200_000
const CONTEXT = 1

/** What changed in rich text: lines first, then the words of those that are still the same line. */
export const diffHtml = (before: string, after: string): BlockRow[] => {
  const runs = diffItems(blocksOf(before), blocksOf(after), blockKey)
  const budget = { words: MAX_WORDS, effort: MAX_EFFORT }
  return runs.flatMap((run, at): BlockRow[] => {
    const { kind, items } = run
    const [previous, next] = [runs[at - 1], runs[at + 1]]
    const isAlone = kind === 'same' || !next || next.kind === 'same'
    // Shown together with the previous one
    if (kind !== 'same' && previous && previous.kind !== 'same') return []
    if (isAlone) return items.map((block) => ({ kind, block }))
    return kind === 'removed' ? replaced(items, next.items, budget) : replaced(next.items, items, budget)
  })
}

/** Leaves out what is the same far from any change. */
export const foldBlocks = (rows: readonly BlockRow[]): (BlockRow | Fold)[] => fold(rows, CONTEXT)

type Budget = { words: number; effort: number }

/** Lines in place of others: in order, those that are alike beside each other. */
const replaced = (removed: readonly Block[], added: readonly Block[], budget: Budget): BlockRow[] => {
  const rows: BlockRow[] = []
  let old = 0
  let present = 0
  const upTo = (from: number, to: number) => {
    for (const block of removed.slice(old, from)) rows.push({ kind: 'removed', block })
    for (const block of added.slice(present, to)) rows.push({ kind: 'added', block })
  }
  for (const [from, to] of pairs(removed, added)) {
    upTo(from, to)
    const [before, after] = [removed[from], added[to]]
    if (before && after) rows.push(...changedLine(before, after, budget))
    old = from + 1
    present = to + 1
  }
  upTo(removed.length, added.length)
  return rows
}

const changedLine = (before: Block, after: Block, budget: Budget): BlockRow[] => {
  const [old, present] = [wordInlines(before), wordInlines(after)]
  const words = old.length + present.length
  const maxEdits = Math.min(MAX_EDITS, Math.floor(Math.sqrt(budget.effort)))
  if (words > budget.words || maxEdits === 0)
    return [
      { kind: 'removed', block: before },
      { kind: 'added', block: after },
    ]
  budget.words -= words
  const found = diffItems(old, present, inlineKey, maxEdits)
  const edits = found.reduce((sum, { kind, items }) => (kind === 'same' ? sum : sum + items.length), 0)
  budget.effort -= Math.min(edits, maxEdits) ** 2
  const runs = joinAcrossSpaces(found, isSpace)
  const isOther = before.kind !== after.kind || before.depth !== after.depth || before.quoted !== after.quoted
  return [{ kind: 'changed', block: after, runs, ...(isOther ? { was: before } : {}) }]
}

const isSpace = ({ text, picture }: Inline): boolean => picture === undefined && text.trim() === ''

/** Which lines are the same line, in order: as much likeness as possible in all. */
const pairs = (removed: readonly Block[], added: readonly Block[]): [number, number][] => {
  const [old, present] = [removed.map(spoken), added.map(spoken)]
  if (old.length * present.length > MAX_COMPARED)
    return old.flatMap((words, at): [number, number][] => (scoreOf(words, present[at]) > 0 ? [[at, at]] : []))
  const scores = old.map((before) => present.map((after) => scoreOf(before, after)))
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(present.length + 1))
  const at = (from: number, to: number) => best[from]?.[to] ?? 0
  for (let from = old.length - 1; from >= 0; from -= 1)
    for (let to = present.length - 1; to >= 0; to -= 1) {
      const score = scores[from]?.[to] ?? 0
      best[from]?.fill(
        Math.max(at(from + 1, to), at(from, to + 1), score > 0 ? score + at(from + 1, to + 1) : 0),
        to,
        to + 1,
      )
    }
  return followed(scores, at)
}

const followed = (scores: readonly (readonly number[])[], at: (from: number, to: number) => number) => {
  const found: [number, number][] = []
  let from = 0
  let to = 0
  while (from < scores.length && to < (scores[0]?.length ?? 0)) {
    const score = scores[from]?.[to] ?? 0
    if (score > 0 && at(from, to) === score + at(from + 1, to + 1)) {
      found.push([from, to])
      from += 1
      to += 1
    } else if (at(from, to) === at(from + 1, to)) from += 1
    else to += 1
  }
  return found
}

/** 0 when they are not two states of one line. */
const scoreOf = (before: readonly string[], after: readonly string[] | undefined): number => {
  const score = after ? likeness(before, after) : 0
  return score >= ALIKE ? score : 0
}

/** The words of a line, without formatting. */
const spoken = (block: Block): readonly string[] =>
  wordInlines(block)
    .filter((inline) => !isSpace(inline))
    .map((inline) => (inline.picture ? inlineKey({ ...inline, marks: [] }) : inline.text))
