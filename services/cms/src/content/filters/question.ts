import type { Condition } from '@stoa/cms-model/delivery/filter.ts'

/** What is asked, without what of. */
export type Question = Pick<Condition, 'op' | 'values'>

/** Whether something is asked not to be so. */
export const isDenial = ({ op, values: [first] }: Question): boolean =>
  op === 'ne' || op === 'nin' || (op === 'exists' && first === false)

/** What a denial denies; what is no denial is left as it is. */
export const affirmed = ({ op, values }: Question): Question => {
  if (op === 'exists') return { op, values: [true] }
  return { op: op === 'ne' ? 'eq' : op === 'nin' ? 'in' : op, values }
}
