import type { Clock } from '@stoa/kit/clock.ts'
import type { TlsCount } from './policy-queries.ts'
import type { TlsResult } from './tls-policy.ts'

/** Counts how TLS went, for the reports of RFC 8460; written to the database now and then. */
export type TlsCounters = {
  count(domain: string, policyType: TlsCount['policyType'], host: string, result: TlsResult): void
  /** What has been counted since the last time. */
  take(): TlsCount[]
}

export const createTlsCounters = (clock: Clock): TlsCounters => {
  let counts = new Map<string, TlsCount>()
  return {
    count(domain, policyType, host, result) {
      const day = clock.now().toISOString().slice(0, 10)
      const key = JSON.stringify([day, domain, policyType, host, result])
      const known = counts.get(key)
      if (known) known.sessions += 1
      else counts.set(key, { day, domain, policyType, host, result, sessions: 1 })
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
  }
}
