import { parse } from 'tldts'
import type { XmlElement } from '../../xml.ts'
import {
  absoluteName,
  type Credentials,
  hostOf,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  relativeName,
  type ZoneRecord,
} from '../adapter.ts'
import { type Api, elementsOf, MAX_SHOWN, outcomeOf, ProviderFailed, ProviderRefused, UNEXPECTED } from '../api.ts'

type Host = { name: string; type: string; address: string; mxPref: string; ttl: string }

/** https://www.namecheap.com/support/api/methods/domains-dns/set-hosts/ */
export const namecheap: OpenZone = async (api, credentials, candidates) => {
  // Zones are registered domains there, so only the shortest name can be one.
  const name = candidates.at(-1) ?? ''
  const hosts = await getHosts(api, credentials, name)
  if (hosts === null) return null
  return {
    name,
    records: async () => hosts.map((host, index) => toRecord(host, { index, zone: name })),
    async write(changes) {
      const possible = changes.filter(({ type }) => type !== 'SRV')
      const outcome =
        possible.length === 0
          ? null
          : await outcomeOf(() => setHosts(api, credentials, { zone: name, hosts: merged(hosts, possible, name) }))
      return changes.map(({ type }) => (type === 'SRV' ? "Namecheap doesn't support SRV records." : outcome))
    },
  }
}

const getHosts = async (api: Api, credentials: Credentials, zone: string): Promise<Host[] | null> => {
  const answer = await ask(api, 'GET', form(credentials, 'getHosts', zone))
  const failure = failureOf(answer)
  // 2019166: the domain is not in this account; 2030288: its name servers are elsewhere.
  if (failure && /^(2019166|2016166|2030288)$/.test(failure.number)) return null
  refuseFailure(failure)
  return answer
    .filter(({ path }) => /\/host$/i.test(path))
    .map(({ attributes: of }) => ({
      name: of.Name ?? '',
      type: of.Type ?? '',
      address: of.Address ?? '',
      mxPref: of.MXPref ?? '',
      ttl: of.TTL ?? '',
    }))
}

const setHosts = async (
  api: Api,
  credentials: Credentials,
  { zone, hosts }: { zone: string; hosts: readonly Host[] },
): Promise<void> => {
  const body = form(credentials, 'setHosts', zone)
  body.set('EmailType', 'MX')
  for (const [index, host] of hosts.entries()) {
    const number = index + 1
    body.set(`HostName${number}`, host.name)
    body.set(`RecordType${number}`, host.type)
    body.set(`Address${number}`, host.address)
    if (host.type === 'MX') body.set(`MXPref${number}`, host.mxPref)
    body.set(`TTL${number}`, host.ttl)
  }
  refuseFailure(failureOf(await ask(api, 'POST', body)))
}

/** Everything that was there, with the sets that change in place of what they were. */
const merged = (hosts: readonly Host[], changes: readonly RecordChange[], zone: string): Host[] => {
  const changed = new Set(changes.map(({ fqdn, type }) => `${type} ${fqdn}`))
  const kept = hosts.filter(({ type, name }) => !changed.has(`${type} ${absoluteName(name, zone)}`))
  const added = changes.flatMap(({ fqdn, type, after }) =>
    after.map(({ value, priority }) => ({
      name: relativeName(fqdn, zone, '@'),
      type,
      address: type === 'TXT' ? value : `${value}.`,
      mxPref: String(priority ?? 10),
      ttl: String(RECORD_TTL),
    })),
  )
  return [...kept, ...added]
}

const toRecord = (host: Host, { index, zone }: { index: number; zone: string }): ZoneRecord => ({
  id: String(index),
  type: host.type,
  fqdn: absoluteName(host.name, zone),
  value: host.type === 'TXT' ? host.address : hostOf(host.address),
  priority: host.type === 'MX' ? Number(host.mxPref) : null,
  weight: null,
  port: null,
})

const form = ({ api_user = '', api_key = '', client_ip = '' }: Credentials, command: string, zone: string) => {
  const { domainWithoutSuffix, publicSuffix } = parse(zone)
  return new URLSearchParams({
    ApiUser: api_user,
    ApiKey: api_key,
    UserName: api_user,
    ClientIp: client_ip,
    Command: `namecheap.domains.dns.${command}`,
    SLD: domainWithoutSuffix ?? '',
    TLD: publicSuffix ?? '',
  })
}

const ask = async (api: Api, method: 'GET' | 'POST', fields: URLSearchParams): Promise<XmlElement[]> => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, text } = await api.send(
    method === 'GET' ? { method, path: `?${fields}` } : { method, path: '', headers: type, body: fields.toString() },
  )
  if (status !== 200) throw new ProviderFailed(`The DNS provider returned ${status}.`)
  const answer = elementsOf(text)
  if (answer.at(-1)?.path !== 'ApiResponse') throw new ProviderFailed(UNEXPECTED)
  return answer
}

type Failure = { number: string; message: string }

const failureOf = (answer: readonly XmlElement[]): Failure | null => {
  if (answer.at(-1)?.attributes.Status !== 'ERROR') return null
  const error = answer.find(({ path }) => path === 'ApiResponse/Errors/Error')
  const message = error?.text.slice(0, MAX_SHOWN).replace(/\p{Cc}+/gu, ' ')
  return { number: error?.attributes.Number ?? '', message: message ?? '' }
}

/** 10110xx and 1011102, 1011150: user, key or address are not accepted. */
const refuseFailure = (failure: Failure | null): void => {
  if (failure === null) return
  if (/^(1010|1011|1016|1017|1030408|1050900)/.test(failure.number))
    throw new ProviderRefused('The DNS provider rejected the credentials.')
  throw new ProviderFailed(`The DNS provider says: ${failure.message}`)
}
