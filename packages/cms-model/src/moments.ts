import { z } from 'zod'

/** A moment as every answer writes it: UTC with milliseconds and `Z`. */
export const moment = z.iso.datetime({ precision: 3 })

/** A moment as people and programs may give it: with `Z` or an offset. */
export const givenMoment = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-03-01T12:00:00Z' })
  .transform((text) => new Date(text))
