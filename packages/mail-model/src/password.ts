import { z } from 'zod'

/** Bytes of UTF-8. The upper limit keeps a megabyte of password from costing anything. */
const MIN_PASSWORD_BYTES = 8
export const MAX_PASSWORD_BYTES = 1024

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

const bounded = z
  .string({ error: 'must be text' })
  .refine((text) => sizeOf(text) <= MAX_PASSWORD_BYTES, { error: `must have at most ${MAX_PASSWORD_BYTES} bytes` })

/** A password to choose. Whether it is a common one is checked by the service. */
export const newPassword = bounded.refine((text) => sizeOf(text) >= MIN_PASSWORD_BYTES, {
  error: `must have at least ${MIN_PASSWORD_BYTES} bytes`,
})

/** A password to compare; rules for new ones do not matter here. */
export const givenPassword = bounded
