import { type FakeProvider, joinParts, partsOf } from '../fake-provider.ts'
import { absolute, byRecord, isBearer, MISSING, relative, tokens } from './parts.ts'

export const vercel: FakeProvider = {
  id: 'vercel',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return { status: 403, json: { error: { code: 'forbidden' } } }
    if (request.path.startsWith('/v5/domains/'))
      return request.path === `/v5/domains/${zone.name}` ? { json: { domain: { name: zone.name } } } : MISSING
    const isList = request.method === 'GET' && request.path === `/v4/domains/${zone.name}/records`
    return byRecord(isList ? { ...request, path: `/v2/domains/${zone.name}/records` } : request, zone, {
      path: `/v2/domains/${zone.name}/records`,
      list: (rows) => ({
        pagination: { next: null },
        records: rows.map((row) => {
          const { value, priority } = { priority: undefined, ...partsOf(row) }
          const base = { id: row.id, type: row.type, name: relative(row.fqdn, zone.name, '') }
          if (row.type === 'SRV') return { ...base, value: row.data }
          return { ...base, value, ...(row.type === 'MX' && { mxPriority: priority }) }
        }),
      }),
      read: ({ type, name, value, mxPriority, srv }) => ({
        type,
        fqdn: absolute(name, zone.name),
        data: type === 'SRV' ? joinParts(type, srv.target, srv) : joinParts(type, value, { priority: mxPriority }),
      }),
    })
  },
}
