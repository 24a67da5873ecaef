import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { moment } from './text.ts'

/** What the owner of the instance, or a command on its server, can do to others. */
export const auditActions = [
  'account.updated',
  'account.suspended',
  'account.resumed',
  'account.sign_in_reset',
  'account.password_set',
  'account.two_factor_removed',
  'address.created',
  'address.password_set',
  'address.deleted',
  'instance.updated',
  'queue.retried',
  'queue.dropped',
  'queue.hold_added',
  'queue.hold_removed',
  'sender.added',
  'sender.removed',
] as const
export type AuditAction = (typeof auditActions)[number]

export const audit = z.object({
  object: z.literal('audit'),
  id: z.uuid(),
  /** An email address; `host` for a command on the server. */
  actor: z.string(),
  action: z.enum(auditActions),
  /** The name of what was changed at that time. */
  target: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  created_at: moment,
})
export type Audit = z.infer<typeof audit>

export const auditList = listOf(audit)
export const auditListQuery = listQuery({ sort: ['created_at'], direction: 'desc' })
export type AuditListRequest = z.output<typeof auditListQuery>
