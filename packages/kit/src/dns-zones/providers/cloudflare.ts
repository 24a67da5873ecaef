import { z } from 'zod'
import {
  hostOf,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  type RecordData,
  type Zone,
  type ZoneRecord,
} from '../adapter.ts'
import { type Api, readPages, writeRecords } from '../api.ts'
import { quotedText, unquotedText } from '../text.ts'

const zones = z.object({ result: z.array(z.object({ id: z.string(), name: z.string() })) })
const record = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string().default(''),
  priority: z.number().nullish(),
  data: z
    .object({ priority: z.number(), weight: z.number(), port: z.number(), target: z.string() })
    .nullish()
    .catch(null),
})
const page = z.object({ result: z.array(record), result_info: z.object({ total_pages: z.number() }).optional() })

const PER_PAGE = 100

/** https://developers.cloudflare.com/api/resources/dns/subresources/records/ */
export const cloudflare: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const name of candidates) {
    const { result } = await api.json(zones, { method: 'GET', path: `/zones?name=${name}`, headers })
    const [zone] = result.filter((found) => found.name === name)
    if (zone) return openedZone(api, headers, zone)
  }
  return null
}

const openedZone = (api: Api, headers: Record<string, string>, zone: { id: string; name: string }): Zone => {
  const path = `/zones/${encodeURIComponent(zone.id)}/dns_records`
  return {
    name: zone.name,
    records: () =>
      readPages(async (number) => {
        const query = `?page=${number}&per_page=${PER_PAGE}`
        const { result, result_info } = await api.json(page, { method: 'GET', path: path + query, headers })
        return { items: result.map(toRecord), hasMore: number < (result_info?.total_pages ?? 1) }
      }),
    write: (changes) =>
      writeRecords(changes, {
        create: (change, data) => api.run({ method: 'POST', path, headers, body: toBody(change, data) }),
        update: (change, data, { id }) =>
          api.run({ method: 'PUT', path: `${path}/${id}`, headers, body: toBody(change, data) }),
        remove: ({ id }) => api.run({ method: 'DELETE', path: `${path}/${id}`, headers }),
      }),
  }
}

const toRecord = ({ id, type, name, content, priority, data }: z.output<typeof record>): ZoneRecord => {
  const base = { id, type, fqdn: name.toLowerCase(), priority: null, weight: null, port: null }
  if (type === 'SRV' && data) return { ...base, ...data, value: hostOf(data.target) }
  if (type === 'TXT') return { ...base, value: unquotedText(content) }
  return { ...base, value: hostOf(content), priority: type === 'MX' ? (priority ?? 0) : null }
}

const toBody = ({ fqdn, type }: Pick<RecordChange, 'fqdn' | 'type'>, data: RecordData) => {
  const base = { type, name: fqdn, ttl: RECORD_TTL }
  const { value, priority, weight, port } = data
  if (type === 'SRV') return { ...base, data: { priority, weight, port, target: value } }
  if (type === 'TXT') return { ...base, content: quotedText(value) }
  return { ...base, content: value, ...(type === 'MX' ? { priority } : { proxied: false }) }
}
