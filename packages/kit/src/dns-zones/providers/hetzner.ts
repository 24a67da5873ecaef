import { z } from 'zod'
import { absoluteName, type OpenZone, RECORD_TTL, type RecordChange, relativeName, type Zone } from '../adapter.ts'
import { type Api, oneByOne, readPages } from '../api.ts'
import { fromZoneData, toZoneData } from '../data.ts'

const zone = z.object({ zone: z.object({ name: z.string() }) })
const page = z.object({
  rrsets: z.array(
    z.object({ id: z.string(), name: z.string(), type: z.string(), records: z.array(z.object({ value: z.string() })) }),
  ),
  meta: z.object({ pagination: z.object({ next_page: z.number().nullish() }) }).optional(),
})

/** https://docs.hetzner.cloud/reference/cloud#zone-rrsets */
export const hetzner: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const name of candidates)
    if (await api.find(zone, { method: 'GET', path: `/zones/${name}`, headers })) return openedZone(api, headers, name)
  return null
}

const openedZone = (api: Api, headers: Record<string, string>, name: string): Zone => {
  const path = `/zones/${name}/rrsets`
  return {
    name,
    records: () =>
      readPages(async (number) => {
        const request = { method: 'GET', path: `${path}?per_page=50&page=${number}`, headers } as const
        const { rrsets, meta } = await api.json(page, request)
        const items = rrsets.flatMap(({ id, name: relative, type, records }) =>
          records.map(({ value }) => ({
            ...fromZoneData(type, value),
            id,
            type,
            fqdn: absoluteName(relative, name),
          })),
        )
        return { items, hasMore: typeof meta?.pagination.next_page === 'number' }
      }),
    write: (changes) => oneByOne(changes, (change) => api.run({ headers, ...requestFor(path, change, name) })),
  }
}

const requestFor = (path: string, { fqdn, type, before, after }: RecordChange, zone: string) => {
  const name = relativeName(fqdn, zone, '@')
  const records = after.map((data) => ({ value: toZoneData(type, data) }))
  return before.length === 0
    ? ({ method: 'POST', path, body: { name, type, ttl: RECORD_TTL, records } } as const)
    : ({
        method: 'POST',
        path: `${path}/${encodeURIComponent(name)}/${type}/actions/set_records`,
        body: { records },
      } as const)
}
