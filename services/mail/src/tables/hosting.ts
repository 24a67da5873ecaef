import type { Generated } from 'kysely'

/** What is hosted: domains, their keys, and addresses. */
export type HostingTables = {
  domain: DomainTable
  dkim_key: DkimKeyTable
  address: AddressTable
  address_name: AddressNameTable
  app_password: AppPasswordTable
}

export type DomainTable = {
  id: string
  account_id: string
  name: string
  ownership_token: string
  verified_at: Date | null
  catch_all_address_id: string | null
  fallback_domain_id: string | null
  tls: Generated<'opportunistic' | 'enforced'>
  dmarc_policy: Generated<'none' | 'quarantine' | 'reject'>
  mta_sts_mode: Generated<'none' | 'testing' | 'enforce'>
  open_tracking: Generated<boolean>
  click_tracking: Generated<boolean>
  note: string | null
  /** The number in the selector of the next DKIM key. */
  next_key: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** When it is removed for good; null: as soon as it is deleted. */
  purge_at: Date | null
  /** The data that a restore needs. */
  kept: unknown
}

export type DkimKeyTable = {
  domain_id: string
  id: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  key_bits: number
  sealed_private_key: string
  public_key: string
  active: Generated<boolean>
  created_at: Date
  activated_at: Date | null
}

export type AddressTable = {
  id: string
  account_id: string
  domain_id: string
  local_part: string
  email: string
  name: string | null
  password_hash: string
  enabled: Generated<boolean>
  send_enabled: Generated<boolean>
  quota_bytes: number | null
  forward_to: Generated<string[]>
  keep_copy: Generated<boolean>
  recovery_email: string | null
  spam_threshold: Generated<number>
  require_app_password: Generated<boolean>
  last_login_at: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  purge_at: Date | null
  kept: unknown
  digest: Generated<'off' | 'daily' | 'weekly'>
  digest_at: Date | null
}

export type AddressNameTable = {
  domain_id: string
  local_part: string
  address_id: string
  kind: 'address' | 'alias' | 'pattern'
}

export type AppPasswordTable = {
  address_id: string
  id: string
  name: string
  scopes: string[]
  token_hash: Buffer
  token_prefix: string
  last_used_at: Date | null
  last_used_ip: string | null
  expires_at: Date | null
  created_at: Date
}
