import type { Condition } from '@stoa/cms-model/delivery/filter.ts'

/** A comparison without its operand. */
export type Question = Pick<Condition, 'op' | 'values'>

/** Whether something is asked not to be so. */
export const isDenial = ({ op, values: [first] }: Question): boolean =>
  op === 'ne' || op === 'nin' || (op === 'exists' && first === false)

/** Turns a negative comparison into its positive; others stay as they are. */
export const affirmed = ({ op, values }: Question): Question => {
  if (op === 'exists') return { op, values: [true] }
  return { op: op === 'ne' ? 'eq' : op === 'nin' ? 'in' : op, values }
}
