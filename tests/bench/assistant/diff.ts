import { blocksOf } from '../../../web/cms-admin/src/diff/html-blocks.ts'
import { diffHtml } from '../../../web/cms-admin/src/diff/html-diff.ts'
import type { Goals } from '../goals.ts'
import { median } from '../harness.ts'

const PARAGRAPHS = 190
const WORDS = 90
const ROUNDS = 9
const MAX_MS = 100

const VOCABULARY =
  'the quay opens early when light comes over harbour and readers arrive with coffee books parcels winter string paper lamp door'.split(
    ' ',
  )

/** The same words in the same order for the same seed. */
const paragraphs = (seed: number): string[] => {
  let state = seed
  const word = () => {
    state = (state * 48_271) % 2_147_483_647
    return VOCABULARY[state % VOCABULARY.length]
  }
  return Array.from({ length: PARAGRAPHS }, () => `<p>${Array.from({ length: WORDS }, word).join(' ')}</p>`)
}

const cpuMs = (work: () => void): number => {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return median(times)
}

/** What a card costs that shows a change of 100 KB of rich text, beside only reading both texts. */
export const richTextDiff = (goals: Goals): void => {
  const old = paragraphs(7)
  const before = old.join('')
  const changes: Record<string, string[]> = {
    'a few words': old.map((text, at) => (at % 20 === 0 ? text.replace('quay', 'pier') : text)),
    'every paragraph': old.map((text) => text.replace('the', 'that').replace('and', 'or')),
    'all of it': paragraphs(99),
    'its halves swapped': [...old.slice(PARAGRAPHS / 2), ...old.slice(0, PARAGRAPHS / 2)],
  }
  for (const [what, lines] of Object.entries(changes)) {
    const after = lines.join('')
    const read = cpuMs(() => void [blocksOf(before), blocksOf(after)])
    const whole = cpuMs(() => void diffHtml(before, after))
    const size = `${Math.round(before.length / 1_000)} KB`
    goals.check(
      `${size} of rich text, ${what} changed: ${whole.toFixed(0)} ms, ${(whole / read).toFixed(1)} times only reading it`,
      whole,
      MAX_MS,
    )
  }
}
