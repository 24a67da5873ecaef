import { expect, type FakeProvider, joinParts, partsOf } from '../fake-provider.ts'
import { absolute, byRecord, isBearer, REFUSED, relative, tokens } from './parts.ts'

export const linode: FakeProvider = {
  id: 'linode',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (request.path === '/domains') {
      const { domain } = JSON.parse(String(request.headers['x-filter']))
      return { json: { data: domain === zone.name ? [{ id: 9, domain }] : [], pages: 1 } }
    }
    return byRecord(request, zone, {
      path: '/domains/9/records',
      update: 'PUT',
      list: (rows) => ({
        pages: 1,
        data: rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          const base = { id: Number(row.id), type: row.type, name: relative(row.fqdn, zone.name, '') }
          return { ...base, target: value, priority: 0, weight: 0, port: 0, ...numbers }
        }),
      }),
      read: (json, existing) => {
        const type = existing?.type ?? json.type
        if (type === 'SRV') expect(!('name' in json) && !/^_/.test(json.service), 'SRV by service and protocol')
        const name = type === 'SRV' ? `_${json.service}._${json.protocol}` : json.name
        return { type, fqdn: absolute(name, zone.name), data: joinParts(type, json.target, json) }
      },
    })
  },
}
