import { z } from 'zod'
import { moment } from './moments.ts'

/**
 * What an action begins with when everybody who reads content may see it. The others (people, keys, webhooks,
 * plugins …) are for users.manage; a new area is one of them until it is named here.
 */
export const contentAreas = [
  'entry',
  'trash',
  'media',
  'type',
  'taxonomy',
  'term',
  'menu',
  'settings',
  'design',
] as const

/** Who did what, through what, to what. Names are kept as they were. */
export const activityRecord = z.object({
  id: z.uuid(),
  at: moment,
  /** An agent's name is the name of its key and, in brackets, of the person. */
  actor: z.object({ kind: z.enum(['user', 'agent', 'system']), id: z.string().nullable(), name: z.string() }),
  via: z.enum(['session', 'agent', 'system', 'assistant', 'plugin']),
  /** Such as `entry.published`. */
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string().nullable(), label: z.string() }),
  changed: z.array(z.string()),
})
export type ActivityRecord = z.infer<typeof activityRecord>
