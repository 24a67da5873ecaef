import { asZoneData, type FakeProvider, strictZoneData } from '../fake-provider.ts'
import { absolute, byRecord, contentOf, fromContent, isBearer, MISSING, REFUSED, relative, tokens } from './parts.ts'

export const vultr: FakeProvider = {
  id: 'vultr',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (/^\/domains\/[^/]+$/.test(request.path))
      return request.path === `/domains/${zone.name}` ? { json: { domain: { domain: zone.name } } } : MISSING
    return byRecord(request, zone, {
      path: `/domains/${zone.name}/records`,
      update: 'PATCH',
      list: (rows) => ({
        meta: { links: { next: '' } },
        records: rows.map((row) => {
          const content = contentOf(row)
          const data = row.type === 'TXT' ? asZoneData('TXT', content.data) : content.data
          return { id: row.id, type: row.type, name: relative(row.fqdn, zone.name, ''), ...content, data }
        }),
      }),
      read: (json, existing) => {
        const type = existing?.type ?? json.type
        const data = type === 'TXT' ? strictZoneData(type, json.data) : json.data
        const fqdn = existing?.fqdn ?? absolute(json.name, zone.name)
        return { type, fqdn, data: fromContent(type, data, json.priority) }
      },
    })
  },
}
