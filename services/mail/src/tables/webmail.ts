/** What webmail keeps of its own. */
export type WebmailTables = {
  webmail_session: WebmailSessionTable
}

export type WebmailSessionTable = {
  address_id: string
  id: string
  token_hash: Buffer
  password_stamp: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}
