import type { Entry } from '@stoa/cms-model/entries.ts'
import { messageOf, problemOf } from '@stoa/ui/request/problem.ts'
import { isPassing } from '@stoa/ui/request/request.ts'
import { hasCode, isSignedOut, readConflict } from '../../api.ts'
import type { EntryChanges } from '../queries.ts'
import { differencesOf, isClash } from './conflict.ts'
import { membersWith } from './problems.ts'
import { type Desk, isEditable, type Kind, savesNow, set, setSettled } from './session-desk.ts'
import { followTitle, isDirty, isFrozen, stored, unsavedMembers } from './session-state.ts'
import { changedMembers, changesOf, type Member, type Values, valuesOf } from './values.ts'

/** So long after the last change a draft is saved by itself … */
export const AUTOSAVE_MS = 3000
/** … and so long after the first one that was not, for those who never pause. */
export const AUTOSAVE_AT_LATEST_MS = 30_000
/** How long to wait before the next try when the service does not answer; the last one repeats. */
export const RETRY_MS = [2000, 4000, 8000, 16_000, 30_000] as const
/** A title that so many entries have is found a slug by its author. */
const MAX_SLUG_ATTEMPTS = 40

/** Sets the time of the next save by itself. Without an answer from the service, the next try has its time already. */
export const schedule = (desk: Desk): void => {
  if (desk.state.isOffline) return
  if (!isDirty(desk.state)) desk.firstUnsavedAt = undefined
  clearTimeout(desk.timer)
  if (!savesNow(desk)) return
  desk.firstUnsavedAt ??= desk.now()
  const atLatest = desk.firstUnsavedAt + AUTOSAVE_AT_LATEST_MS - desk.now()
  desk.wake(Math.max(0, Math.min(AUTOSAVE_MS, atLatest)), 'auto')
}

type Write = { kind: Kind; members: readonly Member[]; sent: Values }

/** Takes over what the service stored. */
export const accept = (desk: Desk, entry: Entry, write?: Write): void => {
  const { mayReplace, onStored } = desk.options
  desk.failures = 0
  desk.lost = undefined
  desk.firstUnsavedAt = undefined
  setSettled(
    desk,
    stored(desk.state, {
      entry,
      sent: write?.sent ?? desk.state.values,
      sentMembers: write?.members ?? [],
      // Nobody waits for a save that came by itself: what is typed must not move
      mayReplace: (member) => (write?.kind === 'auto' && member !== 'slug' ? false : mayReplace(member)),
    }),
  )
  onStored(entry)
}

/** Saves what is not saved yet. Whether it is afterwards, apart from what was typed meanwhile. */
export const write = async (desk: Desk, kind: Kind): Promise<boolean> => {
  let outcome: Outcome = 'again'
  while (outcome === 'again') {
    if (isFrozen(desk.state) || !isEditable(desk)) return false
    const held = kind === 'auto' ? desk.state.withheld : []
    const members = unsavedMembers(desk.state).filter((member) => !held.includes(member))
    const isNothing = members.length === 0 && (kind === 'auto' || desk.state.entry !== null)
    outcome = isNothing ? 'stored' : await attempt(desk, kind, members)
  }
  if (!isDirty(desk.state) && desk.state.isOffline) set(desk, { ...desk.state, isOffline: false })
  schedule(desk)
  return outcome === 'stored'
}

type Outcome = 'stored' | 'again' | 'failed'

const attempt = async (desk: Desk, kind: Kind, members: readonly Member[]): Promise<Outcome> => {
  const sending: Write = { kind, members, sent: desk.state.values }
  set(desk, { ...desk.state, isWriting: true })
  try {
    accept(desk, await send(desk, sending), sending)
    return 'stored'
  } catch (error) {
    return await handle(desk, error, sending)
  } finally {
    set(desk, { ...desk.state, isWriting: false })
  }
}

const send = ({ state, options }: Desk, { kind, members, sent }: Write): Promise<Entry> => {
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

/** What a failed write means. */
const handle = async (desk: Desk, error: unknown, sending: Write): Promise<Outcome> => {
  if (isPassing(error)) return wait(desk, sending)
  // Any other answer is one
  set(desk, { ...desk.state, isOffline: false })
  const { state } = desk
  const conflict = readConflict(error)
  if (conflict) return (await meet(desk, conflict.by)) ? 'again' : 'failed'
  if (isSignedOut(error)) {
    set(desk, { ...state, isSignedOut: true })
    return 'failed'
  }
  if (hasCode(error, 'SLUG_TAKEN') && state.slugFollows && state.slugAttempt < MAX_SLUG_ATTEMPTS) {
    setSettled(desk, followTitle(state, state.slugAttempt + 1))
    return 'again'
  }
  return refuse(desk, error, sending)
}

const wait = (desk: Desk, { kind, members, sent }: Write): Outcome => {
  const { entry } = desk.state
  if (entry !== null) desk.lost = { version: entry.version, sent, members }
  desk.retryKind = kind
  desk.wake(RETRY_MS[Math.min(desk.failures, RETRY_MS.length - 1)] ?? AUTOSAVE_MS, kind)
  desk.failures += 1
  set(desk, { ...desk.state, isOffline: true })
  return 'failed'
}

const refuse = (desk: Desk, error: unknown, { kind, members }: Write): Outcome => {
  const { message, fields } = problemOf(error)
  const blamed = fields
    .flatMap(({ key }) => membersWith(desk.options.type, key))
    .filter((name) => members.includes(name))
  set(desk, {
    ...desk.state,
    problems: fields,
    withheld: [...new Set([...desk.state.withheld, ...blamed])],
    refusals: desk.state.refusals + (kind === 'auto' ? 0 : 1),
    refusal: fields.length === 0 ? message : undefined,
  })
  // What is right is safe without what is wrong
  const hasMore = blamed.length > 0 && blamed.length < members.length
  return hasMore && kind === 'auto' ? 'again' : 'failed'
}

/**
 * Someone was quicker. True when there is nothing to ask: it was this very form whose answer was lost on the way, or they
 * changed nothing that was changed here. What they changed is taken over then, and the person is told.
 */
export const meet = async (desk: Desk, by: string | undefined): Promise<boolean> => {
  const { requests, me, type, onMerged } = desk.options
  if (desk.state.entry === null) return false
  const theirs = await requests.read(desk.state.entry.id).catch((error: unknown) => {
    set(desk, { ...desk.state, conflict: { by, theirs: undefined, problem: messageOf(error) } })
  })
  if (!theirs) return false
  const { server, base, values: mine } = desk.state
  const changed = changedMembers(valuesOf(theirs), server)
  const isNext = desk.lost?.version === theirs.version - 1 && theirs.updatedBy?.id === me.id
  const lost = isNext ? desk.lost : undefined
  // Had it arrived, something of it would be there
  if (lost && changed.length > 0 && changed.every((member) => lost.members.includes(member))) {
    accept(desk, theirs, { kind: 'auto', sent: lost.sent, members: lost.members })
    return true
  }
  const differences = differencesOf(type, { server, base, mine, theirs: valuesOf(theirs) })
  if (isClash(differences)) {
    set(desk, { ...desk.state, conflict: { by: theirs.updatedBy?.name ?? by, theirs, problem: undefined } })
    return false
  }
  accept(desk, theirs)
  const labels = differences.filter(({ changedBy }) => changedBy === 'theirs').map(({ label }) => label)
  if (labels.length > 0) onMerged(theirs, labels)
  return true
}

/** Reads the other version of a conflict again, when it could not be read at first. */
export const readTheirs = async (desk: Desk): Promise<void> => {
  const { conflict } = desk.state
  if (conflict === null) return
  set(desk, { ...desk.state, conflict: { ...conflict, problem: undefined } })
  if (await meet(desk, conflict.by)) set(desk, { ...desk.state, conflict: null })
}
