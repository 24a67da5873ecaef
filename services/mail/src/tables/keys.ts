/** What programs send with. */
export type KeysTables = {
  api_key: ApiKeyTable
}

export type ApiKeyTable = {
  account_id: string
  id: string
  name: string
  permission: 'full_access' | 'sending_access'
  domain_id: string | null
  token_hash: Buffer
  token_prefix: string
  created_at: Date
  last_used_at: Date | null
}
