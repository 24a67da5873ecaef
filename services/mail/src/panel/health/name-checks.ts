import { isIPv4 } from 'node:net'
import { isPublicAddress } from '@stoa/kit/egress/address.ts'
import type { Finding } from '@stoa/kit/health/health.ts'
import type { Config } from '../../config.ts'
import { canonicalName, DnsError, type Resolver } from '../../wire/dns/dns.ts'

type Names = { resolver: Resolver; config: Pick<Config, 'hostname' | 'mxHosts' | 'relayUrl'> }

/** More than any host has; nobody makes us ask without end. */
const MAX_ADDRESSES = 8

/** Whether other servers can find this one by the names that it gives. */
export const checkHostNames = async ({ resolver, config }: Names): Promise<Finding> => {
  const names = [...new Set([config.hostname, ...config.mxHosts])]
  const problems = (await Promise.all(names.map((name) => problemOf(resolver, name)))).filter((one) => one !== null)
  const missing = problems.filter(({ kind }) => kind === 'missing').map(({ name }) => name)
  if (missing.length > 0)
    return {
      status: 'error',
      message: `${missing.join(', ')} ${missing.length === 1 ? "doesn't have" : "don't have"} a public address in DNS.`,
      action: `Add an A record (and AAAA for IPv6) for ${missing.join(' and ')} that points to this server, or set MAIL_HOSTNAME and MX_HOSTS to its real names.`,
    }
  if (problems.length > 0) return noAnswer(problems.map(({ name }) => name).join(', '))
  return { status: 'ok', message: `${names.join(', ')} can be found in DNS.`, value: names.length }
}

const problemOf = async (
  resolver: Resolver,
  name: string,
): Promise<{ name: string; kind: 'missing' | 'unknown' } | null> => {
  const found = await addressesOf(resolver, name)
  if (found === null) return { name, kind: 'unknown' }
  return found.length === 0 ? { name, kind: 'missing' } : null
}

/** Whether this server's addresses lead back to its name: many servers take no mail from one whose do not. */
export const checkReverseDns = async ({ resolver, config }: Names): Promise<Finding> => {
  const { hostname, relayUrl } = config
  if (relayUrl) return viaRelay
  const addresses = await addressesOf(resolver, hostname)
  if (addresses === null) return noAnswer(hostname)
  if (addresses.length === 0) return noAddress(hostname)
  const states = await Promise.all(addresses.map(async (ip) => ({ ip, names: await orNone(resolver.ptr(ip)) })))
  const wrong = states.filter(({ names }) => names !== null && !names.includes(canonicalName(hostname)))
  if (wrong.length > 0)
    return {
      status: 'error',
      message: `The reverse DNS of ${wrong.map(({ ip }) => ip).join(', ')} isn't ${hostname}.`,
      action: `Ask your hosting provider to set the PTR record of ${wrong.map(({ ip }) => ip).join(' and ')} to ${hostname}.`,
    }
  if (states.some(({ names }) => names === null)) return noAnswer(hostname)
  return { status: 'ok', message: `The reverse DNS of ${addresses.join(', ')} is ${hostname}.` }
}

/** Lists that many servers ask, with the page where one gets off. They answer to everybody for small volumes. */
const BLOCKLISTS = [
  { zone: 'zen.spamhaus.org', removal: 'https://check.spamhaus.org/' },
  { zone: 'bl.spamcop.net', removal: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'psbl.surriel.com', removal: 'https://psbl.org/remove' },
] as const

export const checkBlocklists = async ({ resolver, config }: Names): Promise<Finding> => {
  if (config.relayUrl) return viaRelay
  const addresses = await addressesOf(resolver, config.hostname)
  if (addresses === null) return noAnswer(config.hostname)
  const asked = addresses.filter(isIPv4).flatMap((ip) => BLOCKLISTS.map((list) => ({ ip, ...list })))
  if (asked.length === 0) return noAddress(config.hostname)
  const states = await Promise.all(asked.map(async (one) => ({ ...one, state: await isListed(resolver, one) })))
  const listed = states.filter(({ state }) => state === 'listed')
  if (listed.length > 0)
    return {
      status: 'error',
      message: `On a blocklist: ${listed.map(({ ip, zone }) => `${ip} on ${zone}`).join(', ')}.`,
      action: `Find out who sends spam, then ask for removal: ${[...new Set(listed.map(({ removal }) => removal))].join(' ')}`,
      value: listed.length,
    }
  if (states.every(({ state }) => state === 'unknown'))
    return {
      status: 'warning',
      message: "The blocklists didn't answer.",
      action: 'Set DNS_RESOLVERS to a resolver of your own: blocklists refuse public ones.',
    }
  return { status: 'ok', message: `On none of ${BLOCKLISTS.length} blocklists.`, value: 0 }
}

/** Answers in 127.255.255.0/24 say that the list does not talk to this resolver. */
const REFUSED = '127.255.255.'

const isListed = async (
  resolver: Resolver,
  { ip, zone }: { ip: string; zone: string },
): Promise<'listed' | 'clean' | 'unknown'> => {
  const answers = await orNone(resolver.addresses(`${ip.split('.').reverse().join('.')}.${zone}`, { family: 4 }))
  if (answers === null) return 'unknown'
  if (answers.some((answer) => answer.startsWith('127.') && !answer.startsWith(REFUSED))) return 'listed'
  return answers.length > 0 ? 'unknown' : 'clean'
}

/** The public addresses of a name; null when nobody could say. */
const addressesOf = async (resolver: Resolver, name: string): Promise<string[] | null> =>
  (await orNone(resolver.addresses(name)))?.filter(isPublicAddress).slice(0, MAX_ADDRESSES) ?? null

/** Empty when there is no such record; null when the lookup failed. */
const orNone = (asking: Promise<string[]>): Promise<string[] | null> =>
  asking.catch((error: unknown) => {
    if (!(error instanceof DnsError)) throw error
    return error.kind === 'none' ? [] : null
  })

const viaRelay: Finding = { status: 'ok', message: 'Mail leaves through the relay in RELAY_URL.' }

const noAnswer = (names: string): Finding => ({
  status: 'warning',
  message: `DNS didn't answer for ${names}.`,
  action: 'Check the network and DNS_RESOLVERS, then check again.',
})

const noAddress = (hostname: string): Finding => ({
  status: 'warning',
  message: `${hostname} doesn't have a public address to check.`,
  action: `Add an A record for ${hostname} that points to this server.`,
})
