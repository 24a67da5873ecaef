import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Config } from '../../config.ts'
import { createResolver, DnsError, type Resolver } from '../../wire/dns/dns.ts'
import { judgeRecord, type Seen } from './judge.ts'
import { recordKey, type WantedRecord } from './record-set.ts'
import type { Observation } from './statuses.ts'

/** A check answers within 10 seconds, whatever the name servers do. */
const DEADLINE_MS = 8_000
const QUESTION_MS = 2_500

/** A resolver with an empty cache: a requested check must show what is there now. */
export const freshResolver = (config: Pick<Config, 'dnsResolvers'>, clock: Clock): Resolver =>
  createResolver({ servers: config.dnsResolvers, clock, timeoutMs: QUESTION_MS })

export type DnsObservations = {
  /** Observations by `recordKey`. */
  readonly records: ReadonlyMap<string, Observation>
  /** Null: nobody could say. */
  readonly nameservers: readonly string[] | null
}

/** Looks at every record in one round of parallel questions. */
export const observeRecords = async (
  resolver: Resolver,
  { domain, wanted, mxHosts }: { domain: string; wanted: readonly WantedRecord[]; mxHosts: readonly string[] },
): Promise<DnsObservations> => {
  const stop = new AbortController()
  const late = sleep(DEADLINE_MS, null, { signal: stop.signal }).catch(() => null)
  const within = <T>(asking: Promise<T | null>): Promise<T | null> => Promise.race([asking, late])
  try {
    const [nameservers, apex, ...seen] = await Promise.all([
      within(nameserversOf(resolver, domain)),
      within(look(resolver, { fqdn: domain, type: 'TXT' })),
      ...wanted.map((record) => within(look(resolver, record))),
    ])
    const observed = wanted.map((record, index) => {
      const there = seen[index] ?? null
      const observation = there === null ? ('unknown' as const) : judgeRecord(record, there, mxHosts)
      return [
        recordKey(record),
        record.record === 'Ownership' ? betterOf(observation, record, apex) : observation,
      ] as const
    })
    return { records: new Map(observed), nameservers }
  } finally {
    stop.abort()
  }
}

/** The name servers of the zone that the domain is in: its own, or those of a name above it. */
export const nameserversOf = async (resolver: Resolver, domain: string): Promise<string[] | null> => {
  const labels = domain.split('.')
  const names = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
  const answers = await Promise.all(names.map((name) => orNull(() => resolver.ns(name), [])))
  const found = answers.find((servers) => servers !== null && servers.length > 0)
  return found ?? (answers.includes(null) ? null : [])
}

/** The Ownership record may also stand at the domain itself, where some providers allow nothing else. */
const betterOf = (observation: Observation, record: WantedRecord, apex: Seen | null): Observation => {
  if (apex?.type !== 'TXT' || !apex.values.includes(record.value)) return observation
  return { verdict: 'right', found: [record.value], message: null }
}

const look = async (resolver: Resolver, { fqdn, type }: Pick<WantedRecord, 'fqdn' | 'type'>): Promise<Seen | null> => {
  switch (type) {
    case 'TXT':
      return seenAs('TXT', await orNull(() => resolver.txt(fqdn), []))
    case 'MX':
      return seenAs('MX', await orNull(() => resolver.mx(fqdn), []))
    case 'SRV':
      return seenAs('SRV', await orNull(() => resolver.srv(fqdn), []))
    case 'CNAME':
      return seenAs('CNAME', await orNull(async () => [await resolver.cname(fqdn)], []))
  }
}

const seenAs = <T extends Seen['type'], V>(type: T, values: V | null): { type: T; values: V } | null =>
  values === null ? null : { type, values }

/** Null when nobody could say; `none` when there is nothing. */
const orNull = async <T>(ask: () => Promise<T>, none: T): Promise<T | null> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return error.kind === 'none' ? none : null
  }
}
