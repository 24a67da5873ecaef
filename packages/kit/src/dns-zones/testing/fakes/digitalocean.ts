import { expect, type FakeProvider, joinParts, partsOf } from '../fake-provider.ts'
import { absolute, byRecord, isBearer, MISSING, REFUSED, relative, tokens } from './parts.ts'

const undotted = (value: string): string => {
  expect(value.endsWith('.'), `no closing dot: ${value}`)
  return value === '.' ? value : value.slice(0, -1)
}

export const digitalocean: FakeProvider = {
  id: 'digitalocean',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (/^\/domains\/[^/]+$/.test(request.path))
      return request.path === `/domains/${zone.name}` ? { json: { domain: { name: zone.name } } } : MISSING
    return byRecord(request, zone, {
      path: `/domains/${zone.name}/records`,
      update: 'PUT',
      list: (rows) => ({
        links: {},
        domain_records: rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          const name = relative(row.fqdn, zone.name, '@')
          return {
            id: Number(row.id),
            type: row.type,
            name,
            data: value,
            priority: null,
            port: null,
            weight: null,
            ...numbers,
          }
        }),
      }),
      read: ({ type, name, data, ...numbers }) => ({
        type,
        fqdn: absolute(name, zone.name),
        data: joinParts(type, type === 'TXT' ? data : undotted(data), numbers),
      }),
    })
  },
}
