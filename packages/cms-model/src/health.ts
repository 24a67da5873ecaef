import { z } from 'zod'
import { moment } from './moments.ts'

const healthStatus = z.enum(['ok', 'warning', 'error'])

export const health = z.object({
  /** The worst of the checks. */
  status: healthStatus,
  checkedAt: moment,
  checks: z.array(
    z.object({
      id: z.string(),
      status: healthStatus,
      message: z.string(),
      /** What to do about it. */
      action: z.string().nullable(),
      /** The figure behind it. */
      value: z.union([z.string(), z.number()]).nullable(),
    }),
  ),
})
export type Health = z.infer<typeof health>
