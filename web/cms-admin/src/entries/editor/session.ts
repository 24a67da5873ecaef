import type { Entry } from '@stoa/cms-model/entries.ts'
import { newKey } from '@stoa/ui/browser/new-key.ts'
import { pick, sidesOf, untouchedMembers } from '../../undo-history.ts'
import type { Holder, UndoStack } from '../../undo-stack.ts'
import { nameOf } from './labels.ts'
import { act } from './session-act.ts'
import {
  type Desk,
  isEditable,
  type Kind,
  openDesk,
  type SessionOptions,
  savesNow,
  set,
  setSettled,
} from './session-desk.ts'
import {
  asStored,
  change,
  isFrozen,
  knownValue,
  replaced,
  resolvedWith,
  type State,
  stepBetween,
  withRemote,
  withStep,
} from './session-state.ts'
import { accept, readTheirs, schedule, write } from './session-write.ts'
import { changedMembers, type Member, type Values, valuesOf } from './values.ts'

export type Session = {
  /** One for each time that an entry is opened. */
  key: string
  state: () => State
  /** Where its steps are, and those of everything else in the window. */
  stack: UndoStack
  subscribe: (listener: () => void) => () => void
  /** The language of an entry that is not made yet. */
  setLocale: (locale: string) => void
  change: (member: Member, value: unknown) => void
  /** Changes that are undone together, and with nothing that was typed before or after. */
  asOneStep: (run: () => void) => void
  replace: (values: Values) => void
  /** Whether what was there is saved afterwards. The problems are in the state. */
  save: (kind?: Kind) => Promise<boolean>
  /** Saves without waiting for the pause, if it saves by itself at all. */
  saveSoon: () => void
  /** A write of its own for the version that is known here, after all that were asked for before. */
  act: (run: (entry: Entry) => Promise<Entry>) => Promise<Entry>
  /** A newer version was read. */
  receive: (entry: Entry) => void
  /** Shows what someone else saved beside what is here. */
  compare: () => void
  /** Goes on with these values, made from this version. It can be undone. */
  resolve: (from: Entry, values: Values) => void
  readTheirs: () => Promise<void>
  signedOut: () => void
  signedIn: () => void
  /** The connection is back. */
  online: () => void
  /** Between its start and its end. */
  isOpen: () => boolean
  /** Begins, or begins again after an end. */
  start: () => void
  /** Saves what saves by itself, and stops. Whether everything that should be is saved. */
  end: () => Promise<boolean>
}

/** Saves one person's work at one entry: one write at a time, nothing twice, and nothing over someone else's. */
export const createSession = (options: SessionOptions): Session => {
  const desk = openDesk(options)
  const { stack } = options
  const edit = (next: State, place: string | null) => {
    const about = { source: desk.source, at: desk.now(), place, label: nameOf(desk.state.values) }
    const step = stepBetween(desk.state.values, next.values, about)
    set(desk, next)
    if (step) stack.record(step)
    schedule(desk)
  }
  let withdraw: () => void = () => undefined
  const save = (kind: Kind = 'save') => {
    clearTimeout(desk.timer)
    // What is typed after a save is taken back without what was saved
    if (kind === 'save') stack.endStep()
    return inOrder(desk, () => write(desk, kind))
  }
  desk.wake = (ms, kind) => {
    clearTimeout(desk.timer)
    if (!desk.ended) desk.timer = setTimeout(() => void save(kind), ms)
  }
  return {
    key: newKey(),
    stack,
    state: () => desk.state,
    subscribe: (listener) => {
      desk.listeners.add(listener)
      return () => desk.listeners.delete(listener)
    },
    setLocale: (locale) => set(desk, { ...desk.state, locale }),
    change: (member, value) => edit(change(desk.state, member, value), member),
    asOneStep: (run) => {
      stack.endStep()
      run()
      stack.endStep()
    },
    replace: (values) => edit(replaced(desk.state, values), null),
    save,
    saveSoon: () => {
      if (savesNow(desk)) void save('auto')
    },
    act: (run) => inOrder(desk, () => act(desk, run)),
    receive: (entry) => receive(desk, entry),
    compare: () => compare(desk),
    resolve: (from, values) => {
      edit(resolvedWith(desk.state, from, values), null)
      options.onStored(from)
    },
    readTheirs: () => readTheirs(desk),
    signedOut: () => set(desk, { ...desk.state, isSignedOut: true }),
    signedIn: () => {
      set(desk, { ...desk.state, isSignedOut: false })
      if (savesNow(desk)) void save('auto')
    },
    online: () => {
      if (desk.state.isOffline) void save(desk.retryKind)
    },
    isOpen: () => !desk.ended,
    start: () => {
      desk.ended = false
      schedule(desk)
      withdraw()
      withdraw = stack.offer(holderOf(desk))
    },
    end: async () => {
      const saving = savesNow(desk) ? save('auto') : Promise.resolve(true)
      clearTimeout(desk.timer)
      desk.ended = true
      withdraw()
      const isSaved = await saving
      if (desk.ended) setSettled(desk, asStored(desk.state))
      return isSaved
    },
  }
}

/** Takes the steps of this entry: an ordinary change, which is saved as any other. */
const holderOf = (desk: Desk): Holder => ({
  holds: (source) => source === desk.source,
  take: (step, turn) => {
    if (isFrozen(desk.state)) return 'busy'
    if (!isEditable(desk)) return []
    const members = untouchedMembers(step, turn, (member) => knownValue(desk.state, member))
    if (members.length > 0) set(desk, withStep(desk.state, pick(sidesOf(step, turn).puts, members)))
    schedule(desk)
    return members
  },
})

const inOrder = <T>(desk: Desk, task: () => Promise<T>): Promise<T> => {
  const run = desk.tail.then(task)
  desk.tail = run.catch(() => undefined)
  return run
}

/** What others did besides the content is taken over; what they wrote is announced. */
const receive = (desk: Desk, entry: Entry): void => {
  const next = withRemote(desk.state, entry)
  const isNews = next !== desk.state
  if (!isNews || changedMembers(valuesOf(entry), desk.state.server).length > 0) set(desk, next)
  else accept(desk, entry)
}

const compare = (desk: Desk): void => {
  const { remote } = desk.state
  if (remote === null) return
  set(desk, {
    ...desk.state,
    conflict: { by: remote.updatedBy?.name, theirs: remote, problem: undefined },
    remote: null,
  })
}
