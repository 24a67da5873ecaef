import { asZoneData, type FakeProvider } from '../fake-provider.ts'
import { absolute, byRecord, contentOf, fromContent, isBearer, MISSING, REFUSED, relative, tokens } from './parts.ts'

export const dnsimple: FakeProvider = {
  id: 'dnsimple',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (request.path === '/accounts') return { json: { data: [{ id: 7 }] } }
    if (/^\/7\/zones\/[^/]+$/.test(request.path))
      return request.path === `/7/zones/${zone.name}` ? { json: { data: { name: zone.name } } } : MISSING
    return byRecord(request, zone, {
      path: `/7/zones/${zone.name}/records`,
      update: 'PATCH',
      list: (rows) => ({
        pagination: { total_pages: 1 },
        data: rows.map((row) => {
          const { data, priority } = contentOf(row)
          const base = { id: Number(row.id), type: row.type, name: relative(row.fqdn, zone.name, '') }
          return { ...base, content: row.type === 'TXT' ? asZoneData('TXT', data) : data, priority }
        }),
      }),
      read: (json, existing) => {
        const type = existing?.type ?? json.type
        const fqdn = existing?.fqdn ?? absolute(json.name, zone.name)
        return { type, fqdn, data: fromContent(type, json.content, json.priority) }
      },
    })
  },
}
