/** Row type of `tables.sql`, to be joined into a service's own table types. */
export type OAuthTables = {
  oauth_state: {
    state_hash: Buffer
    purpose: string
    subject: string
    sealed: string
    created_at: Date
    expires_at: Date
  }
}
