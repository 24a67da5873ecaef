import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AcmeDns } from '../config/acme-dns.ts'
import type { Zone, ZoneRecord } from '../dns-zones/adapter.ts'
import { ProviderFailed, ProviderRefused } from '../dns-zones/api.ts'
import { findZone, type ZoneSettings } from '../dns-zones/find-zone.ts'
import { AuthorityError } from './errors.ts'
import type { AnswerInDns } from './orders.ts'

/** How long, and how often, the record is looked for before the authority is sent there; it asks other servers than we. */
const SEEN_WITHIN_MS = 60_000
const LOOK_MS = 5_000

/** Puts answers into the operator's zone (RFC 8555 §8.4) through the API of the DNS provider. */
export const answerInDns =
  (settings: ZoneSettings, { provider, credentials }: AcmeDns): AnswerInDns =>
  async (name, answer, signal) => {
    const fqdn = `_acme-challenge.${name}`
    const revealed = Object.fromEntries(Object.entries(credentials).map(([field, value]) => [field, value.reveal()]))
    const zone = await asRefusal(() => findZone(settings, provider, { credentials: revealed, domain: name }))
    if (!zone) throw new AuthorityError('refused', "The account at the DNS provider doesn't have this domain.")
    // Another process, or another program, may have an answer of its own there.
    await change(zone, fqdn, (before) => [...before, { value: answer, priority: null, weight: null, port: null }])
    await untilSeen(settings.dnsResolvers, { fqdn, answer, signal })
    return () => change(zone, fqdn, (before) => before.filter(({ value }) => value !== answer))
  }

type Data = Omit<ZoneRecord, 'id' | 'fqdn' | 'type'>

const change = (zone: Zone, fqdn: string, next: (before: readonly ZoneRecord[]) => readonly Data[]): Promise<void> =>
  asRefusal(async () => {
    const before = (await zone.records()).filter((record) => record.fqdn === fqdn && record.type === 'TXT')
    const [problem] = await zone.write([{ fqdn, type: 'TXT', before, after: next(before) }])
    if (problem) throw new ProviderFailed(problem)
  })

const untilSeen = async (
  servers: readonly string[],
  { fqdn, answer, signal }: { fqdn: string; answer: string; signal: AbortSignal },
): Promise<void> => {
  const resolver = new Resolver()
  if (servers.length > 0) resolver.setServers(servers)
  for (const latest = performance.now() + SEEN_WITHIN_MS; performance.now() < latest; ) {
    const texts = await resolver.resolveTxt(fqdn).catch((): string[][] => [])
    if (texts.some((strings) => strings.join('') === answer)) return
    await sleep(LOOK_MS, undefined, { signal })
  }
}

/** Turns a provider's failure into a refusal of this name's certificate. */
const asRefusal = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProviderFailed || error instanceof ProviderRefused)
      throw new AuthorityError('refused', error.message, { cause: error })
    throw error
  }
}
