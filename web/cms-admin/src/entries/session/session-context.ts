import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { pageKey } from '../../undo-sources.ts'
import type { UndoStack } from '../../undo-stack.ts'
import type { EntryChanges } from '../queries.ts'
import { rightsOf, savesByItself } from './rights.ts'
import { isFrozen, type State, startState, unsavedMembers } from './session-state.ts'
import { type Changes, changedMembers, type Member, type Values, valueAt } from './values.ts'

export type SessionOptions = {
  type: ContentType
  entry: Entry | null
  values: Values
  locale: string
  /** Whose work it is. */
  me: Pick<Me, 'id' | 'role'>
  requests: {
    create: (changes: Changes) => Promise<Entry>
    update: (id: string, changes: EntryChanges, version: number) => Promise<Entry>
    read: (id: string) => Promise<Entry>
  }
  /** Called with everything that the service stored. */
  onStored: (entry: Entry) => void
  /** Called when someone else's changes were taken over beside one's own, with the names of what they changed. */
  onMerged: (theirs: Entry, labels: readonly string[]) => void
  /** Whether the cleaned form of a value may take the place of what was typed: nobody is typing there. */
  mayReplace: (member: Member) => boolean
  /** The undo stack for this session's steps; a window that edits several things shares one stack. */
  stack: UndoStack
  now?: () => number
}

/** `auto`: nobody asked. `flush`: as a part of something else that someone asked for. `save`: someone pressed Save. */
export type Kind = 'auto' | 'flush' | 'save'

/** The mutable state of a session. */
export type SessionContext = {
  readonly options: SessionOptions
  readonly now: () => number
  readonly listeners: Set<() => void>
  /** The source name of this session's undo steps. */
  readonly source: string
  state: State
  /** The last write that was asked for; the next one waits for it. */
  tail: Promise<unknown>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Saves after so long. */
  wake: (ms: number, kind: Kind) => void
  firstUnsavedAt: number | undefined
  /** Tries in a row that were not answered, and what they tried. */
  failures: number
  retryKind: Kind
  /** A write whose answer never came: it may have been done. */
  lost: { version: number; sent: Values; members: readonly Member[] } | undefined
  ended: boolean
}

export const openSessionContext = (options: SessionOptions): SessionContext => ({
  options,
  now: options.now ?? Date.now,
  listeners: new Set(),
  source: pageKey(options.entry?.id ?? 'new'),
  state: startState({ ...options, isSingle: options.type.kind === 'single' }),
  tail: Promise.resolve(),
  timer: undefined,
  wake: () => undefined,
  firstUnsavedAt: undefined,
  failures: 0,
  retryKind: 'auto',
  lost: undefined,
  ended: false,
})

export const set = (context: SessionContext, next: State): void => {
  if (next === context.state) return
  context.state = next
  for (const listener of context.listeners) listener()
}

/** Changes that no person made are not undo steps: the existing steps continue from them. */
export const setSettled = (context: SessionContext, next: State): void => {
  const { values } = context.state
  for (const member of changedMembers(next.values, values)) {
    const [was, is] = [valueAt(values, member), valueAt(next.values, member)]
    context.options.stack.restate({ source: context.source, member, was, is })
  }
  set(context, next)
}

export const isEditable = ({ options, state }: SessionContext): boolean => rightsOf(options.me, state.entry).edit

/** Whether there is something that may be saved without being asked for. */
export const savesNow = (context: SessionContext): boolean =>
  !isFrozen(context.state) &&
  isEditable(context) &&
  savesByItself(context.state.entry) &&
  unsavedMembers(context.state).some((member) => !context.state.withheld.includes(member))
