import { z } from 'zod'
import { toMoment } from '../calendar.ts'
import { isNothing, problem, searchable, trimmedOrNull } from '../checks.ts'
import { defineField, noLinks } from '../define.ts'
import { isLowered, isRaised } from '../narrowing.ts'

const FORM = 'must be a date and time with a time zone, like 2026-03-01T09:30:00Z'
const moment = z.string().refine((text) => toMoment(text) !== null, FORM)

/** A moment, ISO 8601, stored in UTC with milliseconds. */
export const datetime = defineField({
  type: 'datetime',
  options: z.strictObject({ min: moment.optional(), max: moment.optional() }),
  checkOptions: ({ min, max }) =>
    min !== undefined && max !== undefined && isBefore(max, min) ? problem('max', `must not be before ${min}`) : [],
  narrows: { min: isRaised, max: isLowered },
  empty: () => null,
  isEmpty: isNothing,
  check: (value, { min, max }, path) => {
    if (value === null) return []
    if (typeof value !== 'string' || toMoment(value) === null) return problem(path, FORM)
    if (min !== undefined && isBefore(value, min)) return problem(path, `must be ${min} or later`)
    return max !== undefined && isBefore(max, value) ? problem(path, `must be ${max} or earlier`) : []
  },
  clean: (value) => {
    const text = trimmedOrNull(value)
    return typeof text === 'string' ? (toMoment(text) ?? text) : text
  },
  links: noLinks,
  text: searchable,
  comparesAs: 'datetime',
  // Moments compare as text only in the one form in which they are stored.
  storedRule: ({ min, max }) => ({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T.+Z$',
    min: min && (toMoment(min) ?? min),
    max: max && (toMoment(max) ?? max),
  }),
  typescript: () => 'string | null',
})

const isBefore = (left: string, right: string): boolean => (toMoment(left) ?? '') < (toMoment(right) ?? '')
