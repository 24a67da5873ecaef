import { z } from 'zod'

/** What the owner decides for everybody. */
export const instance = z.object({ object: z.literal('instance'), signups: z.enum(['open', 'closed']) })
export type Instance = z.infer<typeof instance>

export const instanceInput = z.object({
  signups: z.enum(['open', 'closed'], { error: 'must be open or closed' }).optional(),
})
