import { asZoneData, expect, type FakeProvider, joinParts, partsOf, strictZoneData } from '../fake-provider.ts'
import { byRecord, isBearer, tokens } from './parts.ts'

export const cloudflare: FakeProvider = {
  id: 'cloudflare',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return { status: 403, json: { success: false, errors: [{ message: 'Invalid token' }] } }
    if (request.path === '/zones') {
      const result = request.query.get('name') === zone.name ? [{ id: 'z1', name: zone.name }] : []
      return { json: { success: true, result } }
    }
    return byRecord(request, zone, {
      path: '/zones/z1/dns_records',
      update: 'PUT',
      list: (rows) => ({
        success: true,
        result_info: { total_pages: 1 },
        result: rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          const base = { id: row.id, type: row.type, name: row.fqdn }
          if (row.type === 'SRV') return { ...base, content: 'x', data: { ...numbers, target: value } }
          return { ...base, content: row.type === 'TXT' ? asZoneData('TXT', value) : value, ...numbers }
        }),
      }),
      read: ({ type, name, content, priority, data, proxied }) => {
        expect(type !== 'CNAME' || proxied === false, 'proxied')
        if (type === 'SRV') return { type, fqdn: name, data: joinParts(type, data.target, data) }
        const value = type === 'TXT' ? strictZoneData(type, content) : content
        return { type, fqdn: name, data: joinParts(type, value, { priority }) }
      },
    })
  },
}
