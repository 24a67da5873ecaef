import { z } from 'zod'

/** Which part of a list. */
export const paging = {
  limit: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).default(0),
}

export const nothing = z.strictObject({})
