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
import { type Api, ProviderFailed, readPages, writeRecords } from '../api.ts'

const zones = z.object({ data: z.array(z.object({ id: z.number(), domain: z.string() })) })
const record = z.object({
  id: z.number(),
  type: z.string(),
  name: z.string(),
  target: z.string(),
  priority: z.number().nullish(),
  weight: z.number().nullish(),
  port: z.number().nullish(),
})
const page = z.object({ data: z.array(record), pages: z.number() })

/** https://techdocs.akamai.com/linode-api/reference/get-domain-records */
export const linode: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const name of candidates) {
    const filter = { 'x-filter': JSON.stringify({ domain: name }) }
    const { data } = await api.json(zones, { method: 'GET', path: '/domains', headers: { ...headers, ...filter } })
    const found = data.find(({ domain }) => domain === name)
    if (found) return openedZone(api, headers, { id: found.id, name })
  }
  return null
}

const openedZone = (api: Api, headers: Record<string, string>, { id, name }: { id: number; name: string }): Zone => {
  const path = `/domains/${id}/records`
  return {
    name,
    records: () =>
      readPages(async (number) => {
        const request = { method: 'GET', path: `${path}?page=${number}&page_size=500`, headers } as const
        const { data, pages } = await api.json(page, request)
        return { items: data.map((found) => toRecord(found, name)), hasMore: number < pages }
      }),
    write: (changes) =>
      writeRecords(changes, {
        create: async (change, data) =>
          api.run({ method: 'POST', path, headers, body: { type: change.type, ...toBody(change, data, name) } }),
        update: async (change, data, { id }) =>
          api.run({ method: 'PUT', path: `${path}/${id}`, headers, body: toBody(change, data, name) }),
        remove: ({ id }) => api.run({ method: 'DELETE', path: `${path}/${id}`, headers }),
      }),
  }
}

const toRecord = (found: z.output<typeof record>, zone: string): ZoneRecord => {
  const { type, target } = found
  const isSrv = type === 'SRV'
  return {
    id: String(found.id),
    type,
    fqdn: absoluteName(found.name, zone),
    value: type === 'TXT' ? target : hostOf(target),
    priority: isSrv || type === 'MX' ? (found.priority ?? 0) : null,
    weight: isSrv ? (found.weight ?? 0) : null,
    port: isSrv ? (found.port ?? 0) : null,
  }
}

/** The name of an SRV record is made of its service and protocol, so that there are some at the zone itself only. */
const toBody = ({ fqdn, type }: RecordChange, { value, priority, weight, port }: RecordData, zone: string) => {
  const base = { target: value, ttl_sec: RECORD_TTL }
  const name = relativeName(fqdn, zone, '')
  if (type !== 'SRV') return { ...base, name, ...(type === 'MX' && { priority }) }
  const [, service, protocol] = /^_([^.]+)\._([^.]+)$/.exec(name) ?? []
  if (service === undefined)
    throw new ProviderFailed("Linode doesn't support SRV records below a zone. Add it manually.")
  return { ...base, service, protocol, priority, weight, port }
}
