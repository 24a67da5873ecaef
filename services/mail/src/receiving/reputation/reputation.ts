import type { Clock } from '@stoa/kit/clock.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type DnsLookup, startLookups } from '../../formats/authenticity/authenticity.ts'
import type { InstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { reverseName } from '../../wire/dns/dns.ts'
import {
  answersOf,
  isAbsent,
  isRefusal,
  type KnownList,
  type Listing,
  labelsOf,
  listingOf,
  listsOf,
  TEST_POINTS,
} from './lists.ts'

export { type Listing, type ListState, testLists } from './lists.ts'

/** What others know of a server and of the domains of a message. */
export type Reputation = {
  readonly listings: readonly Listing[]
  /** Null when it was not checked, or DNS did not answer. */
  readonly hasReverseDns: boolean | null
}

export const NO_REPUTATION: Reputation = { listings: [], hasReverseDns: null }

export type ReputationQuery = {
  readonly ip: string
  /** Domains of the envelope, the author and links; computed when a list needs them. */
  readonly domains: () => readonly string[]
  readonly settings: InstanceSettings
}

export type ReputationCheck = (asked: ReputationQuery) => Promise<Reputation>

/** All lists together: the sender waits meanwhile. SPF and DKIM are looked up at the same time. */
const WAIT_MS = 2_000
/** Ten lists of each kind, five domains, and a test for each list. */
const MAX_LOOKUPS = 120
const MAX_DOMAINS = 5
/** A list that is slow or refuses is not queried for so long, and mail does not wait for it again. */
const PAUSE_MS = 60_000
/** For so long a list is believed not to list everything. */
const TESTED_MS = 3_600_000
const MAX_KNOWN = 200

/** Queries DNS lists about messages, in bounded time: a list that does not answer does not count. */
export const createReputationCheck = (
  { lookup, log, clock }: { lookup: DnsLookup; log: Log; clock: Clock },
  waitMs = WAIT_MS,
): ReputationCheck => {
  const paused = new Map<string, number>()
  const tested = new Map<string, number>()
  const isUntil = (known: Map<string, number>, key: string): boolean => (known.get(key) ?? 0) > clock.now().getTime()
  const keep = (known: Map<string, number>, key: string, milliseconds: number): void => {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, clock.now().getTime() + milliseconds)
  }
  const pause = (zone: string, problem: string, more: object = {}): null => {
    keep(paused, zone, PAUSE_MS)
    log.warn({ zone, ...more }, `a DNS list ${problem} and is not asked for a minute`)
    return null
  }

  const ask = async (find: DnsLookup, known: KnownList, names: readonly AskedName[]): Promise<Listing | null> => {
    const { kind, list } = known
    if (names.length === 0 || isUntil(paused, list.zone)) return null
    const test = `${kind} ${list.zone}`
    try {
      const [wrong, ...found] = await Promise.all([
        isUntil(tested, test) ? [] : answersOf(find, `${TEST_POINTS[kind].clean}.${list.zone}`),
        ...names.map(({ label }) => answersOf(find, `${label}.${list.zone}`)),
      ])
      if ([...wrong, ...found.flat()].some(isRefusal)) return pause(list.zone, 'refuses to answer')
      if (wrong.length > 0) return pause(list.zone, 'lists everything')
      if (!isUntil(tested, test)) keep(tested, test, TESTED_MS)
      const listings = names.map(({ about }, nth) => listingOf(known, about, found[nth] ?? []))
      return listings.find((listing) => listing !== null) ?? null
    } catch (err) {
      return pause(list.zone, 'does not answer', { err })
    }
  }

  return async ({ ip, domains, settings }) => {
    const lists = listsOf(settings)
    if (lists.length === 0 && !settings.greylisting) return NO_REPUTATION
    const label = labelsOf(ip)
    const servers = label === null ? [] : [{ label, about: ip }]
    const hasDomainLists = lists.some(({ kind }) => kind === 'domain')
    const named = hasDomainLists ? [...new Set(domains())].slice(0, MAX_DOMAINS) : []
    const domainNames = named.map((domain) => ({ label: domain, about: domain }))
    const budget = startLookups(lookup, waitMs)
    const find = budget.limit(MAX_LOOKUPS)
    try {
      const [hasReverseDns, ...listings] = await Promise.all([
        settings.greylisting ? findReverseDns(find, ip) : null,
        ...lists.map((known) => ask(find, known, known.kind === 'domain' ? domainNames : servers)),
      ])
      return { listings: listings.filter((listing) => listing !== null), hasReverseDns }
    } finally {
      budget.end()
    }
  }
}

type AskedName = { readonly label: string; readonly about: string }

const findReverseDns = async (find: DnsLookup, ip: string): Promise<boolean | null> => {
  const name = reverseName(ip)
  if (name === null) return null
  try {
    return (await find(name, 'PTR')).length > 0
  } catch (error) {
    return isAbsent(error) ? false : null
  }
}
