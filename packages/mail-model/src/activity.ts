import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { moment } from './text.ts'

/** What happened to mail of an address and who signed in; kept for 30 days. */
export const activityTypes = [
  'received',
  'sent',
  'rejected',
  'bounced',
  'deferred',
  'spam',
  'login',
  'login_failed',
  'filter_error',
] as const
export type ActivityType = (typeof activityTypes)[number]

export const activity = z.object({
  object: z.literal('activity'),
  id: z.uuid(),
  type: z.enum(activityTypes),
  direction: z.enum(['in', 'out']).nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  subject: z.string().nullable(),
  /** The Message-ID header field. */
  message_id: z.string().nullable(),
  size_bytes: z.int().nullable(),
  remote_ip: z.string().nullable(),
  /** The reply of the other server, the verdict of a filter, or the protocol of a sign-in. */
  result: z.string().nullable(),
  created_at: moment,
})
export type Activity = z.infer<typeof activity>

export const activityList = listOf(activity)
export const activityListQuery = listQuery({ sort: ['created_at', 'type'], direction: 'desc' })
export type ActivityListRequest = z.output<typeof activityListQuery>
