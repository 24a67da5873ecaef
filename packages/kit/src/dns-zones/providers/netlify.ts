import { z } from 'zod'
import { hostOf, type OpenZone, RECORD_TTL, type RecordChange, type RecordData, type ZoneRecord } from '../adapter.ts'
import { writeRecords } from '../api.ts'

const zones = z.array(z.object({ id: z.string(), name: z.string() }))
const record = z.object({
  id: z.string(),
  type: z.string(),
  hostname: z.string(),
  value: z.string(),
  priority: z.number().nullish(),
  weight: z.number().nullish(),
  port: z.number().nullish(),
})

/** https://open-api.netlify.com/#tag/dnsZone */
export const netlify: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  const all = await api.json(zones, { method: 'GET', path: '/dns_zones', headers })
  const zone = candidates.flatMap((name) => all.filter((found) => found.name === name)).at(0)
  if (!zone) return null
  const path = `/dns_zones/${encodeURIComponent(zone.id)}/dns_records`
  return {
    name: zone.name,
    records: async () => (await api.json(z.array(record), { method: 'GET', path, headers })).map(toRecord),
    write: (changes) =>
      writeRecords(changes, {
        create: (change, data) => api.run({ method: 'POST', path, headers, body: toBody(change, data) }),
        remove: ({ id }) => api.run({ method: 'DELETE', path: `${path}/${id}`, headers }),
      }),
  }
}

const toRecord = (found: z.output<typeof record>): ZoneRecord => {
  const { id, type, value } = found
  const isSrv = type === 'SRV'
  return {
    id,
    type,
    fqdn: found.hostname.toLowerCase(),
    value: type === 'TXT' ? value : hostOf(value),
    priority: isSrv || type === 'MX' ? (found.priority ?? 0) : null,
    weight: isSrv ? (found.weight ?? 0) : null,
    port: isSrv ? (found.port ?? 0) : null,
  }
}

const toBody = ({ fqdn, type }: RecordChange, { value, priority, weight, port }: RecordData) => ({
  type,
  hostname: fqdn,
  value,
  ttl: RECORD_TTL,
  ...(type === 'MX' && { priority }),
  ...(type === 'SRV' && { priority, weight, port }),
})
