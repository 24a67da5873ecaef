import { z } from 'zod'

/** A moment as the API writes it: ISO 8601 in UTC with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 })

/** Text on one line, without spaces around it. Control characters would end up in mail headers and terminals. */
export const line = ({ min = 0, max }: { min?: number; max: number }) =>
  z
    .string({ error: 'must be text' })
    .trim()
    .min(min, { error: min === 1 ? 'must not be empty' : `must have at least ${min} characters` })
    .max(max, { error: `must have at most ${max} characters` })
    .regex(/^\P{Cc}*$/u, { error: 'must be one line of text' })

/** An optional label: absent, null and blank all mean that there is none. */
export const label = ({ max }: { max: number }) =>
  line({ max })
    .nullish()
    .transform((text) => text || null)
