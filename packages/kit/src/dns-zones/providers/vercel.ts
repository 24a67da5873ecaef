import { z } from 'zod'
import {
  absoluteName,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  type RecordData,
  relativeName,
  type Zone,
  type ZoneRecord,
} from '../adapter.ts'
import { type Api, readPages, writeRecords } from '../api.ts'
import { fromContent, fromZoneData } from '../data.ts'

const zone = z.object({ domain: z.object({ name: z.string() }) })
const record = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  value: z.string(),
  mxPriority: z.number().nullish(),
})
const page = z.object({
  records: z.array(record),
  pagination: z.object({ next: z.number().nullish() }).nullish(),
})

/** https://vercel.com/docs/rest-api/reference/endpoints/dns */
export const vercel: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const name of candidates)
    if (await api.find(zone, { method: 'GET', path: `/v5/domains/${name}`, headers }))
      return openedZone(api, headers, name)
  return null
}

const openedZone = (api: Api, headers: Record<string, string>, name: string): Zone => ({
  name,
  records: () => {
    let until = ''
    return readPages(async () => {
      const request = { method: 'GET', path: `/v4/domains/${name}/records?limit=100${until}`, headers } as const
      const { records, pagination } = await api.json(page, request)
      until = pagination?.next ? `&until=${pagination.next}` : ''
      return { items: records.map((found) => toRecord(found, name)), hasMore: until !== '' }
    })
  },
  write: (changes) =>
    writeRecords(changes, {
      create: (change, data) =>
        api.run({ method: 'POST', path: `/v2/domains/${name}/records`, headers, body: toBody(change, data, name) }),
      remove: ({ id }) => api.run({ method: 'DELETE', path: `/v2/domains/${name}/records/${id}`, headers }),
    }),
})

const toRecord = ({ id, type, name, value, mxPriority }: z.output<typeof record>, zone: string): ZoneRecord => ({
  ...(type === 'SRV' ? fromZoneData(type, value) : fromContent(type, value, mxPriority)),
  id,
  type,
  fqdn: absoluteName(name, zone),
})

const toBody = ({ fqdn, type }: RecordChange, { value, priority, weight, port }: RecordData, zone: string) => {
  const base = { type, name: relativeName(fqdn, zone, ''), ttl: RECORD_TTL }
  if (type === 'SRV') return { ...base, srv: { priority, weight, port, target: value } }
  return { ...base, value, ...(type === 'MX' && { mxPriority: priority }) }
}
