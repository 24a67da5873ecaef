import type { Entry } from '@stoa/cms-model/entries.ts'
import { newKey } from '@stoa/ui/browser/new-key.ts'
import { pick, sidesOf, untouchedMembers } from '../../undo-history.ts'
import type { Holder, UndoStack } from '../../undo-stack.ts'
import { nameOf } from './labels.ts'
import { runAction } from './session-action.ts'
import {
  isEditable,
  type Kind,
  openSessionContext,
  type SessionContext,
  type SessionOptions,
  savesNow,
  set,
  setSettled,
} from './session-context.ts'
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

export type EditorSession = {
  /** One for each time that an entry is opened. */
  key: string
  state: () => State
  /** The undo stack, shared with everything else in the window. */
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
  runAction: (run: (entry: Entry) => Promise<Entry>) => Promise<Entry>
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
export const createSession = (options: SessionOptions): EditorSession => {
  const context = openSessionContext(options)
  const { stack } = options
  const edit = (next: State, place: string | null) => {
    const about = { source: context.source, at: context.now(), place, label: nameOf(context.state.values) }
    const step = stepBetween(context.state.values, next.values, about)
    set(context, next)
    if (step) stack.record(step)
    schedule(context)
  }
  let withdraw: () => void = () => undefined
  const save = (kind: Kind = 'save') => {
    clearTimeout(context.timer)
    // A save ends the undo step: text typed afterwards is undone separately
    if (kind === 'save') stack.endStep()
    return inOrder(context, () => write(context, kind))
  }
  context.wake = (ms, kind) => {
    clearTimeout(context.timer)
    if (!context.ended) context.timer = setTimeout(() => void save(kind), ms)
  }
  return {
    key: newKey(),
    stack,
    state: () => context.state,
    subscribe: (listener) => {
      context.listeners.add(listener)
      return () => context.listeners.delete(listener)
    },
    setLocale: (locale) => set(context, { ...context.state, locale }),
    change: (member, value) => edit(change(context.state, member, value), member),
    asOneStep: (run) => {
      stack.endStep()
      run()
      stack.endStep()
    },
    replace: (values) => edit(replaced(context.state, values), null),
    save,
    saveSoon: () => {
      if (savesNow(context)) void save('auto')
    },
    runAction: (run) => inOrder(context, () => runAction(context, run)),
    receive: (entry) => receive(context, entry),
    compare: () => compare(context),
    resolve: (from, values) => {
      edit(resolvedWith(context.state, from, values), null)
      options.onStored(from)
    },
    readTheirs: () => readTheirs(context),
    signedOut: () => set(context, { ...context.state, isSignedOut: true }),
    signedIn: () => {
      set(context, { ...context.state, isSignedOut: false })
      if (savesNow(context)) void save('auto')
    },
    online: () => {
      if (context.state.isOffline) void save(context.retryKind)
    },
    isOpen: () => !context.ended,
    start: () => {
      context.ended = false
      schedule(context)
      withdraw()
      withdraw = stack.offer(holderOf(context))
    },
    end: async () => {
      const saving = savesNow(context) ? save('auto') : Promise.resolve(true)
      clearTimeout(context.timer)
      context.ended = true
      withdraw()
      const isSaved = await saving
      if (context.ended) setSettled(context, asStored(context.state))
      return isSaved
    },
  }
}

/** Takes the steps of this entry: an ordinary change, which is saved as any other. */
const holderOf = (context: SessionContext): Holder => ({
  holds: (source) => source === context.source,
  take: (step, turn) => {
    if (isFrozen(context.state)) return 'busy'
    if (!isEditable(context)) return []
    const members = untouchedMembers(step, turn, (member) => knownValue(context.state, member))
    if (members.length > 0) set(context, withStep(context.state, pick(sidesOf(step, turn).puts, members)))
    schedule(context)
    return members
  },
})

const inOrder = <T>(context: SessionContext, task: () => Promise<T>): Promise<T> => {
  const run = context.tail.then(task)
  context.tail = run.catch(() => undefined)
  return run
}

/** Takes over others' changes outside the content; changes to the content are announced. */
const receive = (context: SessionContext, entry: Entry): void => {
  const next = withRemote(context.state, entry)
  const isNews = next !== context.state
  if (!isNews || changedMembers(valuesOf(entry), context.state.server).length > 0) set(context, next)
  else accept(context, entry)
}

const compare = (context: SessionContext): void => {
  const { remote } = context.state
  if (remote === null) return
  set(context, {
    ...context.state,
    conflict: { by: remote.updatedBy?.name, theirs: remote, problem: undefined },
    remote: null,
  })
}
