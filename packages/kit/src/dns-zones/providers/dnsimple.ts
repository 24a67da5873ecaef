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

const accounts = z.object({ data: z.array(z.object({ id: z.number() })) })
const zone = z.object({ data: z.object({ name: z.string() }) })
const page = z.object({
  data: z.array(
    z.object({
      id: z.number(),
      type: z.string(),
      name: z.string(),
      content: z.string(),
      priority: z.number().nullish(),
    }),
  ),
  pagination: z.object({ total_pages: z.number() }).optional(),
})

/** https://developer.dnsimple.com/v2/zones/records/ */
export const dnsimple: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  const { data } = await api.json(accounts, { method: 'GET', path: '/accounts', headers })
  for (const { id } of data)
    for (const name of candidates) {
      const found = await api.find(zone, { method: 'GET', path: `/${id}/zones/${name}`, headers })
      if (found) return openedZone(api, headers, { account: id, name })
    }
  return null
}

const openedZone = (
  api: Api,
  headers: Record<string, string>,
  { account, name }: { account: number; name: string },
): Zone => {
  const path = `/${account}/zones/${name}/records`
  return {
    name,
    records: () =>
      readPages(async (number) => {
        const request = { method: 'GET', path: `${path}?page=${number}&per_page=100`, headers } as const
        const { data, pagination } = await api.json(page, request)
        const items = data.map(({ id, type, content, priority, ...found }) => ({
          ...fromContent(type, content, priority),
          id: String(id),
          type,
          fqdn: absoluteName(found.name, name),
        }))
        return { items, hasMore: number < (pagination?.total_pages ?? 1) }
      }),
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
  content: toContent(type, data),
  ttl: RECORD_TTL,
  ...(data.priority !== null && { priority: data.priority }),
})
