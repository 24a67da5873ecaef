/** Row types of `tables.sql`, to be joined into a service's own table types. */
export type AcmeTables = {
  acme_account: {
    directory: string
    sealed_key: string
    url: string | null
    failures: number
    wait_until: Date | null
    lease_id: string | null
    leased_until: Date | null
    created_at: Date
  }
  certificate: {
    name: string
    directory: string
    chain: string | null
    sealed_key: string | null
    not_before: Date | null
    not_after: Date | null
    next_attempt_at: Date
    attempted_at: Date | null
    failures: number
    last_error: string | null
    created_at: Date
  }
  acme_challenge: { token: string; answer: string; expires_at: Date }
}
