import {
  emptyHistory,
  type History,
  nextStep,
  pick,
  recorded,
  restated,
  type Step,
  stepEnded,
  turned,
  type UndoDirection,
  withoutSource,
} from './undo-history.ts'

/** Holds what some steps are about while a screen shows it. */
export type Holder = {
  holds: (source: string) => boolean
  /**
   * Puts a step in place, and gives the members for which that was possible. `busy`: something has to be decided first,
   * and the step stays.
   */
  take: (step: Step, turn: UndoDirection) => readonly string[] | 'busy'
}

/** The result of a step. */
export type Turned = {
  turn: UndoDirection
  /** With the members that were taken; none when all of them were changed elsewhere since. */
  step: Step
  /** Some members were changed elsewhere since, and stay. */
  isPartial: boolean
  /** Another screen was opened for it. */
  isMoved: boolean
}

type StackOptions = {
  /** Opens the screen that holds this. */
  open?: (source: string) => void
  onTurned?: (turned: Turned) => void
}

/** One history over everything that is edited in a window, wherever the steps were made. */
export type UndoStack = {
  history: () => History
  subscribe: (listener: () => void) => () => void
  record: (step: Step) => void
  /** The next change begins a step of its own. */
  endStep: () => void
  /** A value got another form without anybody's doing. */
  restate: (change: { source: string; member: string; was: unknown; is: unknown }) => void
  undo: () => void
  redo: () => void
  /** A screen shows what the holder holds. Gives what to call when it does not any more. */
  offer: (holder: Holder) => () => void
  /** Goes no further: a screen could not be opened, or somebody went elsewhere. */
  stop: () => void
  /** Removes the steps of a source that no longer exists. */
  forget: (source: string) => void
}

export const createUndoStack = ({ open, onTurned }: StackOptions = {}): UndoStack => {
  let history = emptyHistory
  let holders: readonly Holder[] = []
  /** Asked for and not done yet, while a screen opens. */
  let asked: readonly UndoDirection[] = []
  let isMoved = false
  const listeners = new Set<() => void>()
  const set = (next: History) => {
    history = next
    for (const listener of listeners) listener()
  }
  const stop = () => {
    asked = []
    isMoved = false
  }
  const run = () => {
    for (let [turn] = asked; turn !== undefined; [turn] = asked) {
      const step = nextStep(history, turn)
      if (!step) return stop()
      const holder = holders.findLast((one) => one.holds(step.source))
      if (!holder) {
        isMoved = true
        return open ? open(step.source) : stop()
      }
      const members = holder.take(step, turn)
      if (members === 'busy') return stop()
      asked = asked.slice(1)
      set(turned(history, turn, members))
      const isPartial = members.length < Object.keys(step.before).length
      const taken = { ...step, before: pick(step.before, members), after: pick(step.after, members) }
      onTurned?.({ turn, step: taken, isPartial, isMoved })
      isMoved = false
    }
  }
  const ask = (turn: UndoDirection) => {
    asked = [...asked, turn]
    run()
  }
  return {
    history: () => history,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    record: (step) => set(recorded(history, step)),
    endStep: () => set(stepEnded(history)),
    restate: (change) => set(restated(history, change)),
    undo: () => ask('undo'),
    redo: () => ask('redo'),
    offer: (holder) => {
      holders = [...holders, holder]
      run()
      return () => {
        holders = holders.filter((other) => other !== holder)
      }
    },
    stop,
    forget: (source) => {
      stop()
      set(withoutSource(history, source))
    },
  }
}
