import type { Generated } from 'kysely'
import type { CredentialScope } from '../principal.ts'

/** Clients that are notified of changes without being connected. */
export type PushTables = {
  push_subscription: PushSubscriptionTable
}

export type PushSubscriptionTable = {
  address_id: string
  id: string
  app_password_id: string | null
  password_stamp: string
  scope: CredentialScope
  device_client_id: string
  url: string
  p256dh: string | null
  auth: string | null
  types: string[] | null
  verification_code: string
  verified: Generated<boolean>
  expires_at: Date
  told: Generated<Record<string, number>>
  attempts: Generated<number>
  due_at: Date | null
  leased_until: Date | null
  lease: string | null
  created_at: Date
}
