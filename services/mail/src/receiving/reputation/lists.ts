import { type DnsList, matchesCodes, parseDnsList } from '@stoa/mail-model/dns-lists.ts'
import type { DnsLookup } from '../../formats/authenticity/authenticity.ts'
import type { InstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { reverseName } from '../../wire/dns/dns.ts'

export type ListSettings = Pick<InstanceSettings, 'dnsbl' | 'dnswl' | 'domain_dnsbl'>

/** Servers that are blocked or allowed, and domains that are blocked. */
export type ListKind = 'block' | 'allow' | 'domain'

export type KnownList = { readonly kind: ListKind; readonly list: DnsList }

/** The default points of lists. Mail is spam at 5 unless its mailbox says otherwise. */
const DEFAULT_POINTS: Readonly<Record<ListKind, number>> = { block: 4, allow: 2, domain: 4 }

/** An entry of a list for the server or a domain of a message. */
export type Listing = {
  readonly kind: ListKind
  readonly zone: string
  /** The address or domain that is listed. */
  readonly about: string
  readonly answer: string
  /** The points that a listing adds to the score; negative for allowlists. */
  readonly points: number
  readonly rejects: boolean
}

export const listsOf = ({ dnsbl, dnswl, domain_dnsbl }: ListSettings): KnownList[] => [
  ...readLists('block', dnsbl),
  ...readLists('allow', dnswl),
  ...readLists('domain', domain_dnsbl),
]

const readLists = (kind: ListKind, texts: readonly string[]): KnownList[] =>
  texts.flatMap((text) => {
    const list = parseDnsList(text)
    return list ? [{ kind, list }] : []
  })

export const listingOf = ({ kind, list }: KnownList, about: string, answers: readonly string[]): Listing | null => {
  const answer = answers.find((each) => isListed(each) && matchesCodes(list.codes, each))
  if (answer === undefined) return null
  const points = list.points ?? DEFAULT_POINTS[kind]
  const { zone, rejects } = list
  return { kind, zone, about, answer, points: kind === 'allow' ? -points : points, rejects }
}

/** RFC 5782 §2.1: answers are in 127.0.0.0/8. Some lists refuse with 127.0.0.1, others in 127.255.255.0/24. */
const isListed = (answer: string): boolean => answer.startsWith('127.') && !isRefusal(answer)
export const isRefusal = (answer: string): boolean => answer === '127.0.0.1' || answer.startsWith('127.255.255.')

/** The name that is looked up in a list for an address; null when it is none. */
export const labelsOf = (ip: string): string | null => reverseName(ip)?.replace(/\.(?:in-addr|ip6)\.arpa$/, '') ?? null

/** RFC 5782 §5: entries that every list has, and that none may have. */
export const TEST_POINTS: Readonly<Record<ListKind, { readonly listed: string; readonly clean: string }>> = {
  block: { listed: '2.0.0.127', clean: '1.0.0.127' },
  allow: { listed: '2.0.0.127', clean: '1.0.0.127' },
  domain: { listed: 'test', clean: 'invalid' },
}

/** A list's entry for a name: nothing when it is not there. Fails when the list does not answer. */
export const answersOf = async (lookup: DnsLookup, name: string): Promise<string[]> => {
  try {
    return (await lookup(name, 'A')).flat()
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')

/** What the test points of a list say about it. */
export type ListState = 'ok' | 'away' | 'refused' | 'lists_everything' | 'lists_nothing'

export const testLists = async (
  lookup: DnsLookup,
  settings: ListSettings,
): Promise<{ zone: string; state: ListState }[]> => {
  const lists = new Map(listsOf(settings).map(({ kind, list: { zone } }) => [`${kind} ${zone}`, { kind, zone }]))
  return Promise.all(
    [...lists.values()].map(async ({ kind, zone }) => ({ zone, state: await testList(lookup, kind, zone) })),
  )
}

const testList = async (lookup: DnsLookup, kind: ListKind, zone: string): Promise<ListState> => {
  const { listed, clean } = TEST_POINTS[kind]
  try {
    const [there, wrong] = await Promise.all([listed, clean].map((label) => answersOf(lookup, `${label}.${zone}`)))
    if ([...(there ?? []), ...(wrong ?? [])].some(isRefusal)) return 'refused'
    if (wrong && wrong.length > 0) return 'lists_everything'
    return there?.some(isListed) ? 'ok' : 'lists_nothing'
  } catch {
    return 'away'
  }
}
