import { z } from 'zod'
import { activity, activityTypes } from './activity.ts'
import { directions, listOf, listQuery } from './list.ts'

/** What happened to one mail, or to equal ones within a minute, at any address of the account or at none. */
export const traceLine = activity.extend({
  /** Null: no mailbox has that address, or a program sent it with an API key. */
  address_id: z.uuid().nullable(),
  domain_id: z.uuid(),
  /** How many equal ones it stands for. */
  count: z.int(),
})
export type TraceLine = z.infer<typeof traceLine>

export const traceList = listOf(traceLine)

/** The `result` of a recipient that nobody is. */
export const NO_SUCH_MAILBOX = 'no_such_mailbox'

const ways = ['in', 'out'] as const

/** A day, or a moment with its zone. */
const when = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'must be a time like 2026-03-01T09:00:00Z' })
  .transform((text) => new Date(text))

export const traceListQuery = listQuery({ sort: ['created_at'], direction: 'desc' }).extend({
  domain_id: z.uuid({ error: 'must be the ID of a domain' }).optional(),
  address_id: z.uuid({ error: 'must be the ID of an address' }).optional(),
  type: z.enum(activityTypes, { error: `must be one of ${activityTypes.join(', ')}` }).optional(),
  /** Which way the mail went; the list is turned around with `order`. */
  direction: z.enum(ways, { error: 'must be in or out' }).optional(),
  order: z.enum(directions).default('desc').catch('desc'),
  /** At this time or later. */
  since: when.optional(),
  /** Earlier than this. */
  before: when.optional(),
})
export type TraceListRequest = z.output<typeof traceListQuery>
