import { z } from 'zod'
import {
  absoluteName,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  type RecordData,
  relativeName,
  type Zone,
} from '../adapter.ts'
import { type Api, readPages, writeRecords } from '../api.ts'
import { fromContent, toContent } from '../data.ts'
import { quotedText } from '../text.ts'

const zone = z.object({ domain: z.object({ domain: z.string() }) })
const page = z.object({
  records: z.array(
    z.object({ id: z.string(), type: z.string(), name: z.string(), data: z.string(), priority: z.number().nullish() }),
  ),
  meta: z.object({ links: z.object({ next: z.string() }) }).optional(),
})

/** https://www.vultr.com/api/#tag/dns */
export const vultr: OpenZone = async (api, { token = '' }, candidates) => {
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
    records: () => {
      let cursor = ''
      return readPages(async () => {
        const request = {
          method: 'GET',
          path: `${path}?per_page=500&cursor=${encodeURIComponent(cursor)}`,
          headers,
        } as const
        const { records, meta } = await api.json(page, request)
        cursor = meta?.links.next ?? ''
        const items = records.map(({ id, type, data, priority, ...found }) => ({
          ...fromContent(type, data, priority),
          id,
          type,
          fqdn: absoluteName(found.name, name),
        }))
        return { items, hasMore: cursor !== '' }
      })
    },
    write: (changes) =>
      writeRecords(changes, {
        create: ({ fqdn, type }, data) => {
          const body = { ...toBody(type, data), type, name: relativeName(fqdn, name, '') }
          return api.run({ method: 'POST', path, headers, body })
        },
        update: ({ type }, data, { id }) =>
          api.run({ method: 'PATCH', path: `${path}/${id}`, headers, body: toBody(type, data) }),
        remove: ({ id }) => api.run({ method: 'DELETE', path: `${path}/${id}`, headers }),
      }),
  }
}

const toBody = (type: RecordChange['type'], data: RecordData) => ({
  data: type === 'TXT' ? quotedText(data.value) : toContent(type, data),
  ttl: RECORD_TTL,
  ...(data.priority !== null && { priority: data.priority }),
})
