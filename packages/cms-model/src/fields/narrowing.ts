import { toMoment } from './calendar.ts'

/** Whether values that were right may not be any more, once an option has its new value. */
export type Narrows = (before: unknown, after: unknown) => boolean

export const isRaised: Narrows = (before, after) => isSet(after) && (!isSet(before) || isLess(before, after))
export const isLowered: Narrows = (before, after) => isSet(after) && (!isSet(before) || isLess(after, before))
export const isSwitchedOn: Narrows = (before, after) => after === true && before !== true
export const isChanged: Narrows = (before, after) => isSet(after) && after !== before
export const isShortened: Narrows = (before, after) => {
  const left = new Set(namesIn(after))
  return namesIn(before).some((name) => !left.has(name))
}
/** Values are kept, whatever the option says. */
export const isNeverNarrower: Narrows = () => false

export const textNarrows = { minLength: isRaised, maxLength: isLowered, pattern: isChanged }
export const countNarrows = { minItems: isRaised, maxItems: isLowered }

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/** Numbers, days, or moments, which may be written in different zones. */
const isLess = (left: unknown, right: unknown): boolean => {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  if (typeof left !== 'string' || typeof right !== 'string') return false
  return (toMoment(left) ?? left) < (toMoment(right) ?? right)
}

/** The members of a list of names, or of choices. */
const namesIn = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'object' && item !== null && 'value' in item ? item.value : item))
    : []
