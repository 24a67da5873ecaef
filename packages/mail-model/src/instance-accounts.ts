import { z } from 'zod'
import { roles } from './accounts.ts'
import { listOf, listQuery } from './list.ts'
import { byteCount, flag, reference } from './objects.ts'
import { type LimitName, planLimits, usage } from './plans.ts'
import { line, moment } from './text.ts'

/** An account as the owner of the instance sees it. */
export const instanceAccount = z.object({
  object: z.literal('instance_account'),
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(roles),
  plan_id: z.uuid(),
  suspended_at: moment.nullable(),
  suspended_reason: z.string().nullable(),
  totp_enabled: z.boolean(),
  usage,
  /** The limits in effect: the account's own, or its plan's. Null is no limit. */
  limits: planLimits,
  /** Only the limits that are set for this account. */
  limit_overrides: planLimits.partial(),
  last_login_at: moment.nullable(),
  created_at: moment,
})
export type InstanceAccount = z.infer<typeof instanceAccount>

export const instanceAccountList = listOf(instanceAccount)
export const instanceAccountListQuery = listQuery({ sort: ['created_at', 'email', 'storage_bytes'], direction: 'desc' })
export type InstanceAccountListRequest = z.output<typeof instanceAccountListQuery>

/** Null gives the plan's back. */
const ownLimit = byteCount.nullish()

export const instanceAccountUpdate = z.object({
  plan_id: reference.optional(),
  limits: z
    .object(
      {
        domains: ownLimit,
        addresses: ownLimit,
        storage_bytes: ownLimit,
        aliases_per_address: ownLimit,
        emails_per_day: ownLimit,
        emails_per_month: ownLimit,
        api_keys: ownLimit,
        webhooks: ownLimit,
        filters: ownLimit,
        transfers: ownLimit,
      } satisfies Record<LimitName, typeof ownLimit>,
      { error: 'must be an object' },
    )
    .optional(),
})
export type InstanceAccountUpdate = z.output<typeof instanceAccountUpdate>

export const suspendInput = z.object({ reason: line({ min: 1, max: 500 }) })
export type SuspendInput = z.output<typeof suspendInput>

export const resetSignInInput = z.object({
  /** Turn two-factor authentication off too. */
  totp: flag.default(false),
})
export type ResetSignInInput = z.output<typeof resetSignInInput>
