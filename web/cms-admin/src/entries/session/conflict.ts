import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'
import { labelOf, typeOfMember } from './labels.ts'
import { type Member, membersOf, type Values, valueAt, withValue } from './values.ts'

export type Side = 'mine' | 'theirs'

/** A member that someone changed, as it was, as it is here and as it is on the service. */
export type Difference = {
  member: Member
  label: string
  fieldType: string | null
  before: unknown
  mine: unknown
  theirs: unknown
  /** The side that changed the member; with `both` the person has to choose. */
  changedBy: Side | 'both'
}

type Versions = {
  /** The service's values before the others changed them. */
  server: Values
  /** The values as typed that count as saved here. */
  base: Values
  mine: Values
  theirs: Values
}

/** The members that differ between form and service. Equal changes on both sides are no difference. */
export const differencesOf = (type: ContentType, { server, base, mine, theirs }: Versions): Difference[] =>
  membersOf(theirs, mine).flatMap((member) => {
    const [before, here, there] = [valueAt(server, member), valueAt(mine, member), valueAt(theirs, member)]
    const isMine = differs(here, valueAt(base, member))
    const isTheirs = differs(there, before)
    if ((!isMine && !isTheirs) || !differs(here, there)) return []
    const changedBy = isMine && isTheirs ? 'both' : isMine ? 'mine' : 'theirs'
    const about = { label: labelOf(type, member), fieldType: typeOfMember(type, member) }
    return [{ member, ...about, before, mine: here, theirs: there, changedBy }]
  })

/** Whether someone has to choose. Otherwise both sides can be kept. */
export const isClash = (differences: readonly Difference[]): boolean =>
  differences.some(({ changedBy }) => changedBy === 'both')

export type Choices = ReadonlyMap<Member, Side>

/** A member that only one side changed keeps that change; where both did, nothing is chosen yet. */
export const firstChoices = (differences: readonly Difference[]): Choices =>
  new Map(differences.flatMap(({ member, changedBy }) => (changedBy === 'both' ? [] : [[member, changedBy]])))

export const chooseAll = (differences: readonly Difference[], side: Side): Choices =>
  new Map(differences.map(({ member }) => [member, side]))

export const isDecided = (differences: readonly Difference[], choices: Choices): boolean =>
  differences.every(({ member }) => choices.has(member))

/** The form after the choices: everything of theirs, and of mine what was chosen. */
export const resolved = (theirs: Values, differences: readonly Difference[], choices: Choices): Values =>
  differences.reduce(
    (values, { member, mine }) => (choices.get(member) === 'mine' ? withValue(values, member, mine) : values),
    theirs,
  )
