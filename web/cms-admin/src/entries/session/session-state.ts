import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Problem } from '@stoa/cms-model/fields/define.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'
import type { Members, Step } from '../../undo-history.ts'
import { withoutMember } from './problems.ts'
import { followsTitle, slugFor } from './slug.ts'
import {
  afterSave,
  changedMembers,
  type Member,
  membersAt,
  type Values,
  valueAt,
  valuesOf,
  withMembers,
  withValue,
} from './values.ts'

/** Someone else saved what this form was made from. `theirs` is undefined until it has been read. */
export type Conflict = { by: string | undefined; theirs: Entry | undefined; problem: string | undefined }

/** One person's work at one entry. Nothing in here changes; every step makes a new one. */
export type State = {
  /** The entry as the service last returned it; null until it is created. */
  readonly entry: Entry | null
  readonly locale: string
  readonly values: Values
  /** The values as typed that count as saved … */
  readonly base: Values
  /** … and as the service stores it. */
  readonly server: Values
  readonly slugFollows: boolean
  /** The slug of a single kind is the name of its type, whatever its title. */
  readonly isSingle: boolean
  readonly slugAttempt: number
  readonly problems: readonly Problem[]
  /** Members that the service refused: they are not saved by themselves until they change. */
  readonly withheld: readonly Member[]
  /** Grows with each refusal that someone waits for: the first problem takes the focus. */
  readonly refusals: number
  /** Why nothing could be saved, when no input is to blame. */
  readonly refusal: string | undefined
  readonly conflict: Conflict | null
  /** A newer version by someone else that was reported before anything was saved over it. */
  readonly remote: Entry | null
  readonly isWriting: boolean
  readonly isOffline: boolean
  readonly isSignedOut: boolean
}

type Start = { entry: Entry | null; values: Values; locale: string; isSingle?: boolean }

export const startState = ({ entry, values, locale, isSingle = false }: Start): State => ({
  entry,
  locale,
  values,
  base: values,
  server: values,
  slugFollows: !isSingle && (entry === null || followsTitle(entry)),
  isSingle,
  slugAttempt: 1,
  problems: [],
  withheld: [],
  refusals: 0,
  refusal: undefined,
  conflict: null,
  remote: null,
  isWriting: false,
  isOffline: false,
  isSignedOut: false,
})

export const unsavedMembers = ({ values, base }: State): Member[] => changedMembers(values, base)
export const isDirty = (state: State): boolean => unsavedMembers(state).length > 0

/** No write leaves before the person has decided something. */
export const isFrozen = ({ conflict, isSignedOut }: State): boolean => conflict !== null || isSignedOut

export type Indicator = 'saved' | 'saving' | 'unsaved' | 'offline' | 'conflict'

export const indicatorOf = (state: State): Indicator => {
  if (state.conflict !== null) return 'conflict'
  if (state.isOffline) return 'offline'
  if (state.isWriting) return 'saving'
  return isDirty(state) ? 'unsaved' : 'saved'
}

/** Someone typed. */
export const change = (state: State, member: Member, value: unknown): State => {
  const typed = withValue(state.values, member, value)
  if (!differs(typed, state.values)) return state
  return followed(
    {
      ...state,
      values: typed,
      problems: withoutMember(state.problems, member),
      withheld: state.withheld.filter((other) => other !== member),
      refusal: undefined,
    },
    member,
  )
}

/** Side effects of changing this member: the slug of a draft follows its title until somebody edits the slug. */
const followed = (state: State, member: Member): State => {
  if (member === 'title') return state.slugFollows ? followTitle(state, 1) : state
  if (member !== 'slug') return state
  // An emptied slug is made of the title again
  const mayFollow = state.values.slug === '' && !state.isSingle && (state.entry?.publishedAt ?? null) === null
  return { ...state, slugFollows: mayFollow }
}

type About = Pick<Step, 'source' | 'at' | 'place' | 'label'>

/** The members that differ, and no others: what someone else saves meanwhile stays when it is undone. */
export const stepBetween = (before: Values, after: Values, about: About): Step | undefined => {
  const members = changedMembers(after, before)
  if (members.length === 0) return undefined
  return { ...about, before: membersAt(before, members), after: membersAt(after, members) }
}

/** The slug that the title asks for; with nothing to make it of, it stays. */
export const followTitle = (state: State, attempt: number): State => {
  const slug = slugFor(state.values.title, state.locale, attempt)
  const next = { ...state, slugAttempt: attempt }
  if (slug === '' || slug === state.values.slug) return next
  return { ...next, values: { ...state.values, slug }, problems: withoutMember(state.problems, 'slug') }
}

/** These members as a step of the history has them. */
export const withStep = (state: State, members: Members): State => ({
  ...state,
  values: withMembers(state.values, members),
  problems: [],
  withheld: [],
  refusal: undefined,
})

/** All values at once: a copy that was kept, a choice. */
export const replaced = (state: State, values: Values): State =>
  differs(values, state.values) ? { ...state, values, problems: [], withheld: [] } : state

type Stored = {
  entry: Entry
  sent: Values
  sentMembers: readonly Member[]
  mayReplace: (member: Member) => boolean
}

/** The service stored something; with no members sent, something else than the form. */
export const stored = (state: State, { entry, sent, sentMembers, mayReplace }: Stored): State => {
  const server = valuesOf(entry)
  const { values, base } = afterSave({
    values: state.values,
    base: state.base,
    sent,
    sentMembers,
    stored: server,
    mayReplace,
  })
  const slugFollows = state.slugFollows && entry.status === 'draft' && entry.publishedAt === null
  // Published meanwhile: an address that people know is not changed by a title
  const slug = state.slugFollows && !slugFollows ? server.slug : values.slug
  return {
    ...state,
    entry,
    locale: entry.locale,
    values: slug === values.slug ? values : { ...values, slug },
    base,
    server,
    problems: sentMembers.reduce(withoutMember, state.problems),
    slugFollows,
    refusal: undefined,
    remote: state.remote !== null && state.remote.version > entry.version ? state.remote : null,
    isOffline: false,
  }
}

/** Everything that is saved, in the form in which the service stores it; for when nobody types any more. */
export const asStored = (state: State): State => {
  const unsaved = unsavedMembers(state)
  const values = withMembers(state.server, membersAt(state.values, unsaved))
  return differs(values, state.values) || differs(state.base, state.server)
    ? { ...state, values, base: state.server }
    : state
}

/** The value of a member, as far as it is known what it is now: not while someone else's waits to be looked at. */
export const knownValue = ({ values, server, remote }: State, member: Member): unknown => {
  const theirs = remote && valuesOf(remote)
  return theirs && differs(valueAt(theirs, member), valueAt(server, member))
    ? valueAt(theirs, member)
    : valueAt(values, member)
}

/** The person decided: theirs is what it is made from now, and these are the values to go on with. */
export const resolvedWith = (state: State, theirs: Entry, values: Values): State => ({
  ...replaced(state, values),
  entry: theirs,
  locale: theirs.locale,
  base: valuesOf(theirs),
  server: valuesOf(theirs),
  slugFollows: state.slugFollows && followsTitle(theirs),
  conflict: null,
  remote: null,
  problems: [],
  withheld: [],
  refusal: undefined,
})

/** A version was reported. One that this form already knows changes nothing. */
export const withRemote = (state: State, entry: Entry): State => {
  if (state.entry === null || state.conflict !== null || state.isWriting) return state
  if (entry.version <= Math.max(state.entry.version, state.remote?.version ?? 0)) return state
  return { ...state, remote: entry }
}
