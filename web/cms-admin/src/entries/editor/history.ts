import type { Member, Values } from './values.ts'

/** The states of the form that can be gone back and forth to. */
export type History = {
  readonly past: readonly Values[]
  readonly future: readonly Values[]
  /** The latest change, which the next one of the same member may join. */
  readonly last: { readonly member: Member; readonly at: number } | null
}

export const emptyHistory: History = { past: [], future: [], last: null }

/** Changes of one member that follow each other this closely are one step. */
export const JOIN_MS = 800
/** More steps back than anybody takes; the values share their parts, so that a step is small. */
export const MAX_STEPS = 200

/** After a change of one member; `before` are the values without it. */
export const record = (history: History, before: Values, member: Member, at: number): History => {
  const { last, past } = history
  const joins = last !== null && last.member === member && at - last.at < JOIN_MS
  return { past: joins ? past : [...past, before].slice(-MAX_STEPS), future: [], last: { member, at } }
}

/** After a change of many members at once, which nothing joins. */
export const recordWhole = (history: History, before: Values): History => ({
  past: [...history.past, before].slice(-MAX_STEPS),
  future: [],
  last: null,
})

/** The next change begins a step of its own, however soon it comes. */
export const stepEnded = (history: History): History => ({ ...history, last: null })

export type Step = { history: History; values: Values }

export const undo = ({ past, future }: History, now: Values): Step | undefined => {
  const values = past.at(-1)
  return values && { values, history: { past: past.slice(0, -1), future: [now, ...future], last: null } }
}

export const redo = ({ past, future }: History, now: Values): Step | undefined => {
  const [values, ...rest] = future
  return values && { values, history: { past: [...past, now], future: rest, last: null } }
}
