/** Members of what is edited, by name. */
export type Members = Readonly<Record<string, unknown>>

/** One change that can be taken back, of whatever is edited: the members that it is about, before and after. */
export type Step = {
  /** What was changed, if a screen edits several things: the key of a menu, an entry, the settings, a surface. */
  readonly source: string
  readonly before: Members
  readonly after: Members
  readonly at: number
  /** Where someone typed: what follows soon at the same place joins the step. Null for what nothing joins. */
  readonly place: string | null
  /** What it was about, for people. */
  readonly label: string
}

/** What can be gone back and forth over, the latest step last. One for everything that is edited in a window. */
export type History = { readonly past: readonly Step[]; readonly future: readonly Step[] }

export const emptyHistory: History = { past: [], future: [] }

/** Changes at one place that follow each other this closely are one step. */
export const JOIN_MS = 800
/** More steps back than anybody takes; a step holds what it changed and nothing else. */
export const MAX_STEPS = 200

/** After a change. What was undone before is gone. */
export const recorded = ({ past, future }: History, step: Step): History => {
  const last = past.at(-1)
  const joins =
    last !== undefined &&
    future.length === 0 &&
    step.place !== null &&
    step.place === last.place &&
    step.source === last.source &&
    step.at - last.at < JOIN_MS
  const joined = joins
    ? { ...step, before: { ...step.before, ...last.before }, after: { ...last.after, ...step.after } }
    : step
  return { past: [...(joins ? past.slice(0, -1) : past), joined].slice(-MAX_STEPS), future: [] }
}

/** The next change begins a step of its own, however soon it comes. */
export const stepEnded = (history: History): History => {
  const last = history.past.at(-1)
  return last ? { ...history, past: [...history.past.slice(0, -1), { ...last, place: null }] } : history
}

/** The step to take back, and the history without it. */
export const undo = ({ past, future }: History): { step: Step; history: History } | undefined => {
  const step = past.at(-1)
  return step && { step, history: { past: past.slice(0, -1), future: [step, ...future] } }
}

/** The step to take again, and the history with it. */
export const redo = ({ past, future }: History): { step: Step; history: History } | undefined => {
  const [step, ...rest] = future
  return step && { step, history: { past: [...past, step], future: rest } }
}
