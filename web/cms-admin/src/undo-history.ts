import { differs } from '@stoa/ui/form/form-errors.ts'

/** Members of what is edited, by name. */
export type Members = Readonly<Record<string, unknown>>

/** One change that can be taken back, of whatever is edited: the members that it is about, before and after. */
export type Step = {
  /** The source of the change where a screen edits several: the key of a menu, an entry, the settings, a surface. */
  readonly source: string
  readonly before: Members
  readonly after: Members
  readonly at: number
  /** The input that was typed in: a quick next change there joins the step. Null: no change joins it. */
  readonly place: string | null
  /** The label of the change for people. */
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

export type UndoDirection = 'undo' | 'redo'

/** The step that comes next on the way back or forth. */
export const nextStep = ({ past, future }: History, turn: UndoDirection): Step | undefined =>
  turn === 'undo' ? past.at(-1) : future[0]

/** The values that a step sets, and those that it expects to find. */
export const sidesOf = ({ before, after }: Step, turn: UndoDirection): { puts: Members; finds: Members } =>
  turn === 'undo' ? { puts: before, finds: after } : { puts: after, finds: before }

/** The members of a step that are still as it left them: the others were changed elsewhere since, and stay. */
export const untouchedMembers = (step: Step, turn: UndoDirection, valueAt: (member: string) => unknown): string[] =>
  Object.entries(sidesOf(step, turn).finds).flatMap(([member, found]) =>
    differs(valueAt(member), found) ? [] : [member],
  )

/** After the next step was taken with these of its members; a step of which nothing was taken is dropped. */
export const turned = (history: History, turn: UndoDirection, members: readonly string[]): History => {
  const step = nextStep(history, turn)
  if (!step) return history
  const { past, future } = history
  const taken =
    members.length === 0 ? [] : [{ ...step, before: pick(step.before, members), after: pick(step.after, members) }]
  return turn === 'undo'
    ? { past: past.slice(0, -1), future: [...taken, ...future] }
    : { past: [...past, ...taken], future: future.slice(1) }
}

/** A value got another form without anybody's doing, as a service cleans what it stores: its steps go on from there. */
export const restated = (
  { past, future }: History,
  { source, member, was, is }: { source: string; member: string; was: unknown; is: unknown },
): History => {
  const side = (members: Members): Members =>
    Object.hasOwn(members, member) && !differs(members[member], was) ? { ...members, [member]: is } : members
  const step = (one: Step): Step =>
    one.source === source ? { ...one, before: side(one.before), after: side(one.after) } : one
  return { past: past.map(step), future: future.map(step) }
}

/** The steps of everything else. */
export const withoutSource = ({ past, future }: History, source: string): History => ({
  past: past.filter((step) => step.source !== source),
  future: future.filter((step) => step.source !== source),
})

export const pick = (values: Members, members: readonly string[]): Members =>
  Object.fromEntries(members.map((member) => [member, values[member]]))
