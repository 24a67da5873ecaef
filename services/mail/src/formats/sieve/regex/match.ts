import type { Spend } from '../match/wildcard.ts'
import type { Instruction, Program } from './program.ts'
import type { CharacterSet } from './syntax.ts'

/**
 * The first match with its groups (`[0]` is all of it), or null. All readings are followed side by side, best first, so
 * that the time never grows with their number.
 */
export const runRegex = (program: Program, text: string, ignoreCase: boolean, spend: Spend): string[] | null => {
  const found = search(program, text, ignoreCase, spend)
  if (!found) return null
  return Array.from({ length: program.groups + 1 }, (_, index) => {
    const [from = -1, to = -1] = [found[index * 2], found[index * 2 + 1]]
    return from < 0 || to < 0 ? '' : text.slice(from, to)
  })
}

/** A reading: the step it is at, and where its groups started and ended. */
type Thread = { readonly at: number; readonly slots: Slots }
type Slots = readonly number[]

type State = {
  readonly steps: readonly Instruction[]
  readonly length: number
  /** The place in the text at which each step was last reached: a reading that comes second has no use. */
  readonly reached: Int32Array
  visits: number
}

const search = ({ steps }: Program, text: string, ignoreCase: boolean, spend: Spend): Slots | null => {
  const state: State = { steps, length: text.length, reached: new Int32Array(steps.length).fill(-1), visits: 0 }
  let threads: Thread[] = []
  let best: Slots | null = null
  for (let at = 0; at <= text.length; ) {
    const character = text.codePointAt(at) ?? -1
    const width = character > 0xffff ? 2 : 1
    const current: Thread[] = []
    for (const thread of threads) follow(state, thread, at, current)
    if (!best) follow(state, { at: 0, slots: [at] }, at, current)
    if (best && current.length === 0) break
    threads = []
    for (const thread of current) {
      const step = steps[thread.at]
      if (step?.kind === 'accept') {
        best = withSlot(thread.slots, 1, at)
        break
      }
      if (step?.kind === 'set' && character >= 0 && isIn(step.set, character, ignoreCase))
        threads.push({ at: thread.at + 1, slots: thread.slots })
    }
    spend((1 + state.visits + current.length) / 4)
    state.visits = 0
    if (best && threads.length === 0) break
    at += width
  }
  return best
}

const withSlot = (slots: Slots, slot: number, value: number): Slots => {
  const changed = slots.slice()
  while (changed.length < slot) changed.push(-1)
  changed[slot] = value
  return changed
}

/** Adds the steps that look at a character and can be reached from here without one, the preferred ones first. */
const follow = (state: State, from: Thread, at: number, found: Thread[]): void => {
  const open = [from]
  for (let thread = open.pop(); thread; thread = open.pop()) {
    if (state.reached[thread.at] === at) continue
    state.reached[thread.at] = at
    state.visits += 1
    const step = state.steps[thread.at]
    const { slots } = thread
    if (step?.kind === 'fork') open.push({ at: step.second, slots }, { at: step.first, slots })
    else if (step?.kind === 'save') open.push({ at: thread.at + 1, slots: withSlot(slots, step.slot, at) })
    else if (step?.kind === 'start' || step?.kind === 'end') {
      if (at === (step.kind === 'start' ? 0 : state.length)) open.push({ at: thread.at + 1, slots })
    } else found.push(thread)
  }
}

const isIn = (set: CharacterSet, code: number, ignoreCase: boolean): boolean => {
  if (!ignoreCase) return hasCode(set, code) !== set.negated
  return (hasCode(set, code) || hasCode(set, otherCase(code))) !== set.negated
}

const hasCode = ({ ranges }: CharacterSet, code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to)

/** As i;ascii-casemap has it: letters of ASCII only. */
const otherCase = (code: number): number => {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a ? code ^ 0x20 : code
}
