import type { Entry } from '@stoa/cms-model/entries.ts'
import { messageOf, problemOf } from '@stoa/ui/request/problem.ts'
import { isPassing } from '@stoa/ui/request/request.ts'
import { hasCode, isSignedOut, readConflict } from '../../api.ts'
import type { EntryChanges } from '../queries.ts'
import { differencesOf, isClash } from './conflict.ts'
import { membersWith } from './problems.ts'
import { isEditable, type Kind, type SessionContext, savesNow, set, setSettled } from './session-context.ts'
import { followTitle, isDirty, isFrozen, stored, unsavedMembers } from './session-state.ts'
import { changedMembers, changesOf, type Member, type Values, valuesOf } from './values.ts'

/** A draft is autosaved this long after the last change … */
export const AUTOSAVE_MS = 3000
/** … and so long after the first one that was not, for those who never pause. */
export const AUTOSAVE_AT_LATEST_MS = 30_000
/** How long to wait before the next try when the service does not answer; the last one repeats. */
export const RETRY_MS = [2000, 4000, 8000, 16_000, 30_000] as const
/** A title that so many entries have is found a slug by its author. */
const MAX_SLUG_ATTEMPTS = 40

/** Sets the time of the next save by itself. Without an answer from the service, the next try has its time already. */
export const schedule = (context: SessionContext): void => {
  if (context.state.isOffline) return
  if (!isDirty(context.state)) context.firstUnsavedAt = undefined
  clearTimeout(context.timer)
  if (!savesNow(context)) return
  context.firstUnsavedAt ??= context.now()
  const atLatest = context.firstUnsavedAt + AUTOSAVE_AT_LATEST_MS - context.now()
  context.wake(Math.max(0, Math.min(AUTOSAVE_MS, atLatest)), 'auto')
}

type Write = { kind: Kind; members: readonly Member[]; sent: Values }

/** Takes over what the service stored. */
export const accept = (context: SessionContext, entry: Entry, write?: Write): void => {
  const { mayReplace, onStored } = context.options
  context.failures = 0
  context.lost = undefined
  context.firstUnsavedAt = undefined
  setSettled(
    context,
    stored(context.state, {
      entry,
      sent: write?.sent ?? context.state.values,
      sentMembers: write?.members ?? [],
      // Autosave must not change text while it is typed
      mayReplace: (member) => (write?.kind === 'auto' && member !== 'slug' ? false : mayReplace(member)),
    }),
  )
  onStored(entry)
}

/** Saves what is not saved yet. Whether it is afterwards, apart from what was typed meanwhile. */
export const write = async (context: SessionContext, kind: Kind): Promise<boolean> => {
  let outcome: Outcome = 'again'
  while (outcome === 'again') {
    if (isFrozen(context.state) || !isEditable(context)) return false
    const held = kind === 'auto' ? context.state.withheld : []
    const members = unsavedMembers(context.state).filter((member) => !held.includes(member))
    const isNothing = members.length === 0 && (kind === 'auto' || context.state.entry !== null)
    outcome = isNothing ? 'stored' : await attempt(context, kind, members)
  }
  if (!isDirty(context.state) && context.state.isOffline) set(context, { ...context.state, isOffline: false })
  schedule(context)
  return outcome === 'stored'
}

type Outcome = 'stored' | 'again' | 'failed'

const attempt = async (context: SessionContext, kind: Kind, members: readonly Member[]): Promise<Outcome> => {
  const sending: Write = { kind, members, sent: context.state.values }
  set(context, { ...context.state, isWriting: true })
  try {
    accept(context, await send(context, sending), sending)
    return 'stored'
  } catch (error) {
    return await handle(context, error, sending)
  } finally {
    set(context, { ...context.state, isWriting: false })
  }
}

const send = ({ state, options }: SessionContext, { kind, members, sent }: Write): Promise<Entry> => {
  const { entry, slugFollows } = state
  const { create, update } = options.requests
  // A slug that nobody typed is found by the service, which knows the others
  if (entry === null) return create(changesOf(sent, slugFollows ? members.filter((name) => name !== 'slug') : members))
  const changes: EntryChanges = {
    ...changesOf(sent, members),
    ...(entry.status === 'published' ? { mode: 'draft' } : {}),
    ...(kind === 'save' ? {} : { autosave: true }),
  }
  return update(entry.id, changes, entry.version)
}

/** Handles a failed write. */
const handle = async (context: SessionContext, error: unknown, sending: Write): Promise<Outcome> => {
  if (isPassing(error)) return wait(context, sending)
  // Any other answer is one
  set(context, { ...context.state, isOffline: false })
  const { state } = context
  const conflict = readConflict(error)
  if (conflict) return (await meet(context, conflict.by)) ? 'again' : 'failed'
  if (isSignedOut(error)) {
    set(context, { ...state, isSignedOut: true })
    return 'failed'
  }
  if (hasCode(error, 'SLUG_TAKEN') && state.slugFollows && state.slugAttempt < MAX_SLUG_ATTEMPTS) {
    setSettled(context, followTitle(state, state.slugAttempt + 1))
    return 'again'
  }
  return refuse(context, error, sending)
}

const wait = (context: SessionContext, { kind, members, sent }: Write): Outcome => {
  const { entry } = context.state
  if (entry !== null) context.lost = { version: entry.version, sent, members }
  context.retryKind = kind
  context.wake(RETRY_MS[Math.min(context.failures, RETRY_MS.length - 1)] ?? AUTOSAVE_MS, kind)
  context.failures += 1
  set(context, { ...context.state, isOffline: true })
  return 'failed'
}

const refuse = (context: SessionContext, error: unknown, { kind, members }: Write): Outcome => {
  const { message, fields } = problemOf(error)
  const blamed = fields
    .flatMap(({ key }) => membersWith(context.options.type, key))
    .filter((name) => members.includes(name))
  set(context, {
    ...context.state,
    problems: fields,
    withheld: [...new Set([...context.state.withheld, ...blamed])],
    refusals: context.state.refusals + (kind === 'auto' ? 0 : 1),
    refusal: fields.length === 0 ? message : undefined,
  })
  // The valid members are saved without the invalid ones
  const hasMore = blamed.length > 0 && blamed.length < members.length
  return hasMore && kind === 'auto' ? 'again' : 'failed'
}

/**
 * Someone was quicker. True when there is nothing to ask: it was this very form whose answer was lost on the way, or they
 * changed nothing that was changed here. What they changed is taken over then, and the person is told.
 */
export const meet = async (context: SessionContext, by: string | undefined): Promise<boolean> => {
  const { requests, me, type, onMerged } = context.options
  if (context.state.entry === null) return false
  const theirs = await requests.read(context.state.entry.id).catch((error: unknown) => {
    set(context, { ...context.state, conflict: { by, theirs: undefined, problem: messageOf(error) } })
  })
  if (!theirs) return false
  const { server, base, values: mine } = context.state
  const changed = changedMembers(valuesOf(theirs), server)
  const isNext = context.lost?.version === theirs.version - 1 && theirs.updatedBy?.id === me.id
  const lost = isNext ? context.lost : undefined
  // Had it arrived, something of it would be there
  if (lost && changed.length > 0 && changed.every((member) => lost.members.includes(member))) {
    accept(context, theirs, { kind: 'auto', sent: lost.sent, members: lost.members })
    return true
  }
  const differences = differencesOf(type, { server, base, mine, theirs: valuesOf(theirs) })
  if (isClash(differences)) {
    set(context, { ...context.state, conflict: { by: theirs.updatedBy?.name ?? by, theirs, problem: undefined } })
    return false
  }
  accept(context, theirs)
  const labels = differences.filter(({ changedBy }) => changedBy === 'theirs').map(({ label }) => label)
  if (labels.length > 0) onMerged(theirs, labels)
  return true
}

/** Reads the other version of a conflict again, when it could not be read at first. */
export const readTheirs = async (context: SessionContext): Promise<void> => {
  const { conflict } = context.state
  if (conflict === null) return
  set(context, { ...context.state, conflict: { ...conflict, problem: undefined } })
  if (await meet(context, conflict.by)) set(context, { ...context.state, conflict: null })
}
