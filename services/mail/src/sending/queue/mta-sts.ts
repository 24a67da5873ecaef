import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../../tables.ts'
import { DnsError, type Resolver } from '../../wire/dns/dns.ts'
import { findStsPolicy, upsertStsPolicy } from './policy-queries.ts'

/** A domain's TLS policy for its mail hosts (RFC 8461). */
export type StsPolicy = { id: string; mode: 'none' | 'testing' | 'enforce'; mx: readonly string[]; expiresAt: Date }

export type StsPolicies = {
  /** The policy that holds for a domain now; null when there is none. */
  find(domain: string): Promise<StsPolicy | null>
}

export type StsParts = {
  database: Database<Tables>
  resolver: Resolver
  egress: Egress
  clock: Clock
  log: Log
  /** 443 outside of tests. */
  port: number
}

/** RFC 8461 §3.3 */
const FETCH_TIMEOUT_MS = 60_000
const MAX_POLICY_BYTES = 65_536
const MAX_PATTERNS = 100
/** RFC 8461 §3.2: a year at most. */
const MAX_AGE_SECONDS = 31_557_600
/** How long a process uses a policy without checking whether it has changed. */
const RECHECK_MS = 300_000
/** RFC 8461 §3.3: not again at once after a failed fetch. */
const MAX_REMEMBERED = 10_000

/** Policies from the database and the domains themselves; one that was fetched holds until it expires. */
export const createStsPolicies = (parts: StsParts): StsPolicies => {
  const remembered = new Map<string, { until: number; policy: Promise<StsPolicy | null> }>()
  const look = async (domain: string): Promise<StsPolicy | null> => {
    const now = parts.clock.now()
    const known = await findStsPolicy(parts.database.db, domain, now)
    const id = await announcedId(parts.resolver, domain)
    // RFC 8461 §5.1: a policy that is known holds, whatever has become of the record that announced it.
    if (id === null || id === known?.id) return known
    const fetched = await fetchPolicy(parts, domain, id)
    if (fetched === null) return known
    await parts.database.tx((tx) => upsertStsPolicy(tx, { domain, ...fetched, fetchedAt: now }))
    return fetched
  }

  return {
    find(domain) {
      const at = parts.clock.now().getTime()
      const entry = remembered.get(domain)
      if (entry && entry.until > at) return entry.policy
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      const policy = look(domain)
      remembered.set(domain, { until: at + RECHECK_MS, policy })
      policy.catch(() => remembered.delete(domain))
      return policy
    },
  }
}

/** Reads a policy (RFC 8461 §3.2); null when it is not one. */
export const readStsPolicy = (text: string, now: Date): Omit<StsPolicy, 'id'> | null => {
  const mx: string[] = []
  const fields = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, key = '', value = ''] = /^([a-z0-9_.-]+):[ \t]*(.*?)[ \t]*$/i.exec(line) ?? []
    if (key === 'mx') {
      if (!MX_PATTERN.test(value) || mx.length === MAX_PATTERNS) return null
      mx.push(value)
    } else if (key !== '' && !fields.has(key)) fields.set(key, value)
  }
  const mode = fields.get('mode')
  const age = fields.get('max_age') ?? ''
  if (fields.get('version') !== 'STSv1' || !/^\d{1,10}$/.test(age)) return null
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return null
  if (mode !== 'none' && mx.length === 0) return null
  const seconds = Math.min(Number(age), MAX_AGE_SECONDS)
  return { mode, mx, expiresAt: new Date(now.getTime() + seconds * 1_000) }
}

const MX_PATTERN = /^(\*\.)?([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/i

const announcedId = async (resolver: Resolver, domain: string): Promise<string | null> => {
  try {
    const records = (await resolver.txt(`_mta-sts.${domain}`)).filter((text) => text.startsWith('v=STSv1'))
    // RFC 8461 §3.1: more than one is as good as none.
    if (records.length !== 1) return null
    return /;[ \t]*id=([a-z0-9]{1,32})[ \t]*(?:;|$)/i.exec(records[0] ?? '')?.[1] ?? null
  } catch (error) {
    if (error instanceof DnsError) return null
    throw error
  }
}

const fetchPolicy = async (parts: StsParts, domain: string, id: string): Promise<StsPolicy | null> => {
  const host = `mta-sts.${domain}`
  const url = `https://${host}${parts.port === 443 ? '' : `:${parts.port}`}/.well-known/mta-sts.txt`
  try {
    const answer = await parts.egress.request({
      url,
      method: 'GET',
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: MAX_POLICY_BYTES,
    })
    const type = String(answer.headers['content-type'] ?? '')
    const isPolicy = answer.status === 200 && !answer.truncated && /^text\/plain\b/i.test(type)
    const policy = isPolicy ? readStsPolicy(answer.body.toString('utf8'), parts.clock.now()) : null
    if (policy === null) parts.log.info({ domain, status: answer.status }, 'an MTA-STS policy could not be read')
    return policy && { id, ...policy }
  } catch (error) {
    if (!(error instanceof EgressFailed || error instanceof EgressRefused)) throw error
    parts.log.info({ domain, reason: error.reason }, 'an MTA-STS policy could not be fetched')
    return null
  }
}
