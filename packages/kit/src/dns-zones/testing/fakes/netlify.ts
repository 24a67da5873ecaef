import { type FakeProvider, joinParts, partsOf } from '../fake-provider.ts'
import { byRecord, isBearer, REFUSED, tokens } from './parts.ts'

export const netlify: FakeProvider = {
  id: 'netlify',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (request.path === '/dns_zones') return { json: [{ id: 'z_1', name: zone.name }] }
    return byRecord(request, zone, {
      path: '/dns_zones/z_1/dns_records',
      list: (rows) =>
        rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          return { id: row.id, type: row.type, hostname: row.fqdn, value, ...numbers }
        }),
      read: ({ type, hostname, value, ...numbers }) => ({
        type,
        fqdn: hostname,
        data: joinParts(type, value, numbers),
      }),
    })
  },
}
