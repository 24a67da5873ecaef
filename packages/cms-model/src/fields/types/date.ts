import { z } from 'zod'
import { isCalendarDate } from '../calendar.ts'
import { checkOrder, isNothing, problem, searchable, trimmedOrNull } from '../checks.ts'
import { defineField, noLinks } from '../define.ts'
import { isLowered, isRaised } from '../narrowing.ts'

const FORM = 'must be a date like 2026-03-01'
const day = z.string().refine(isCalendarDate, FORM)

/** A calendar date. */
export const date = defineField({
  type: 'date',
  options: z.strictObject({ min: day.optional(), max: day.optional() }),
  checkOptions: ({ min, max }) => checkOrder('max', min, max),
  narrows: { min: isRaised, max: isLowered },
  empty: () => null,
  isEmpty: isNothing,
  check: (value, { min, max }, path) => {
    if (value === null) return []
    if (typeof value !== 'string' || !isCalendarDate(value)) return problem(path, FORM)
    if (min !== undefined && value < min) return problem(path, `must be ${min} or later`)
    return max !== undefined && value > max ? problem(path, `must be ${max} or earlier`) : []
  },
  clean: trimmedOrNull,
  links: noLinks,
  text: searchable,
  comparesAs: 'date',
  storedRule: ({ min, max }) => ({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', min, max }),
  fromCell: (cell) => cell,
  typescript: () => 'string | null',
})
