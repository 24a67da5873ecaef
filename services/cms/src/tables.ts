import type { Role } from '@stoa/cms-model/permissions.ts'
import type { Generated } from 'kysely'

/** One interface per table, as the migrations leave it. */
export type Tables = {
  account: AccountTable
  session: SessionTable
  login_limit: LoginLimitTable
}

type AccountTable = {
  id: string
  email: string
  name: string
  role: Role
  password_hash: string
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
  deactivated_at: Date | null
}

type SessionTable = {
  id: string
  account_id: string
  token_hash: Buffer
  ip: string
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  revoked_at: Date | null
}

type LoginLimitTable = {
  bucket: Buffer
  failures: number
  pending: number
  ends_at: Date
}
