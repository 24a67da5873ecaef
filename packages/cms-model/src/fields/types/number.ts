import { z } from 'zod'
import { checkOrder, isNothing, problem } from '../checks.ts'
import { defineField, noLinks } from '../define.ts'
import { isChanged, isLowered, isRaised, isSwitchedOn } from '../narrowing.ts'
import { readNumber } from '../number-text.ts'

/** Decimal fractions are not exact in binary: 0.3 is three steps of 0.1. */
const STEP_TOLERANCE = 1e-9

/** A number, with optional bounds. Steps are counted from the lower bound, or from zero. */
export const number = defineField({
  type: 'number',
  options: z.strictObject({
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().positive().optional(),
    integer: z.boolean().optional(),
  }),
  checkOptions: ({ min, max }) => checkOrder('max', min, max),
  narrows: { min: isRaised, max: isLowered, step: isChanged, integer: isSwitchedOn },
  empty: () => null,
  isEmpty: isNothing,
  check: (value, { min, max, step, integer }, path) => {
    if (value === null) return []
    if (typeof value !== 'number' || !Number.isFinite(value)) return problem(path, 'must be a number')
    if (integer && !Number.isSafeInteger(value)) return problem(path, 'must be a whole number')
    if (min !== undefined && value < min) return problem(path, `must be ${min} or more`)
    if (max !== undefined && value > max) return problem(path, `must be ${max} or less`)
    if (step !== undefined && !isOnStep(value, min ?? 0, step))
      return problem(path, `must go up in steps of ${step}${min ? `, starting at ${min}` : ''}`)
    return []
  },
  // JSON has no negative zero.
  clean: (value) => (value === '' ? null : value === 0 ? 0 : value),
  links: noLinks,
  text: (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : ''),
  comparesAs: 'number',
  storedRule: ({ min, max, integer }) => ({ min, max, isInteger: integer }),
  fromCell: readNumber,
  typescript: () => 'number | null',
})

const isOnStep = (value: number, from: number, step: number): boolean => {
  const steps = (value - from) / step
  return Math.abs(steps - Math.round(steps)) <= STEP_TOLERANCE * Math.max(1, Math.abs(steps))
}
