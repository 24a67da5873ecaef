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
import { type Api, readPages, writeRecords } from '../api.ts'
import { absolute } from '../text.ts'

const zone = z.object({ domain: z.object({ name: z.string() }) })
const record = z.object({
  id: z.number(),
  type: z.string(),
  name: z.string(),
  data: z.string(),
  priority: z.number().nullish(),
  port: z.number().nullish(),
  weight: z.number().nullish(),
})
const page = z.object({
  domain_records: z.array(record),
  links: z.object({ pages: z.object({ next: z.string().optional() }).optional() }).optional(),
})

/** https://docs.digitalocean.com/reference/api/digitalocean/#tag/Domain-Records */
export const digitalocean: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const name of candidates)
    if (await api.find(zone, { method: 'GET', path: `/domains/${name}`, headers }))
      return openedZone(api, headers, name)
  return null
}

const openedZone = (api: Api, headers: Record<string, string>, name: string): Zone => {
  const path = `/domains/${name}/records`
  return {
    name,
    records: () =>
      readPages(async (number) => {
        const request = { method: 'GET', path: `${path}?per_page=200&page=${number}`, headers } as const
        const { domain_records, links } = await api.json(page, request)
        return {
          items: domain_records.map((found) => toRecord(found, name)),
          hasMore: links?.pages?.next !== undefined,
        }
      }),
    write: (changes) =>
      writeRecords(changes, {
        create: (change, data) => api.run({ method: 'POST', path, headers, body: toBody(change, data, name) }),
        update: (change, data, { id }) =>
          api.run({ method: 'PUT', path: `${path}/${id}`, headers, body: toBody(change, data, name) }),
        remove: ({ id }) => api.run({ method: 'DELETE', path: `${path}/${id}`, headers }),
      }),
  }
}

const toRecord = (found: z.output<typeof record>, zone: string): ZoneRecord => {
  const { type, data } = found
  const isSrv = type === 'SRV'
  return {
    id: String(found.id),
    type,
    fqdn: absoluteName(found.name, zone),
    // Inside the zone, `@` means the zone itself.
    value: type === 'TXT' ? data : data === '@' ? zone : hostOf(data),
    priority: isSrv || type === 'MX' ? (found.priority ?? 0) : null,
    weight: isSrv ? (found.weight ?? 0) : null,
    port: isSrv ? (found.port ?? 0) : null,
  }
}

const toBody = ({ fqdn, type }: RecordChange, { value, priority, weight, port }: RecordData, zone: string) => ({
  type,
  name: relativeName(fqdn, zone, '@'),
  data: type === 'TXT' ? value : absolute(value),
  ttl: RECORD_TTL,
  ...(type === 'MX' && { priority }),
  ...(type === 'SRV' && { priority, weight, port }),
})
