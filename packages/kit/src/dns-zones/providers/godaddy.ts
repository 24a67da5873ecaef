import { z } from 'zod'
import {
  absoluteName,
  hostOf,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  type RecordData,
  relativeName,
  type Zone,
  type ZoneRecord,
} from '../adapter.ts'
import { type Api, oneByOne, ProviderFailed } from '../api.ts'

const zone = z.object({ domain: z.string() })
const record = z.object({
  type: z.string(),
  name: z.string(),
  data: z.string(),
  priority: z.number().nullish(),
  weight: z.number().nullish(),
  port: z.number().nullish(),
  service: z.string().nullish(),
  protocol: z.string().nullish(),
})
const records = z.array(record)

/** https://developer.godaddy.com/doc/endpoint/domains */
export const godaddy: OpenZone = async (api, { api_key, api_secret }, candidates) => {
  const headers = { authorization: `sso-key ${api_key}:${api_secret}` }
  for (const name of candidates)
    if (await api.find(zone, { method: 'GET', path: `/domains/${name}`, headers }))
      return openedZone(api, headers, name)
  return null
}

const openedZone = (api: Api, headers: Record<string, string>, name: string): Zone => {
  const path = `/domains/${name}/records`
  return {
    name,
    records: async () =>
      (await api.json(records, { method: 'GET', path, headers })).map((found) => toRecord(found, name)),
    write: (changes) =>
      oneByOne(changes, async (change) => {
        if (change.type === 'SRV') return api.run({ method: 'PATCH', path, headers, body: srvBodies(change, name) })
        const body = change.after.map((data) => toBody(change, data))
        const relative = encodeURIComponent(relativeName(change.fqdn, name, '@'))
        return api.run({ method: 'PUT', path: `${path}/${change.type}/${relative}`, headers, body })
      }),
  }
}

const toRecord = (found: z.output<typeof record>, zone: string): ZoneRecord => {
  const { type, data, service, protocol } = found
  const isSrv = type === 'SRV'
  const base = absoluteName(found.name, zone)
  return {
    id: '',
    type,
    fqdn: isSrv && service && protocol ? `${service}.${protocol}.${base}`.toLowerCase() : base,
    value: type === 'TXT' ? data : data === '@' ? zone : hostOf(data),
    priority: isSrv || type === 'MX' ? (found.priority ?? 0) : null,
    weight: isSrv ? (found.weight ?? 0) : null,
    port: isSrv ? (found.port ?? 0) : null,
  }
}

const toBody = ({ type }: RecordChange, { value, priority }: RecordData) => ({
  data: value,
  ttl: RECORD_TTL,
  ...(type === 'MX' && { priority }),
})

/** All SRV records of a name are one set there, whatever their service: they can be added, and not changed one by one. */
const srvBodies = ({ fqdn, before, after }: RecordChange, zone: string) => {
  const [, service, protocol, rest = '@'] = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/.exec(relativeName(fqdn, zone, '@')) ?? []
  if (service === undefined || before.length > 0)
    throw new ProviderFailed("GoDaddy can't change this SRV record. Remove it there first.")
  return after.map(({ value, priority, weight, port }) => ({
    type: 'SRV',
    name: rest,
    service,
    protocol,
    data: value,
    ttl: RECORD_TTL,
    priority,
    weight,
    port,
  }))
}
