import { expect, type FakeProvider, joinParts, partsOf } from '../fake-provider.ts'
import { absolute, MISSING, REFUSED, relative } from './parts.ts'

export const godaddy: FakeProvider = {
  id: 'godaddy',
  good: { credentials: { api_key: 'key-of-tests', api_secret: 'secret-of-tests' } },
  bad: { credentials: { api_key: 'key-of-tests', api_secret: 'wrong-of-tests' } },
  hasSrv: true,
  handle({ method, path, headers, json }, zone) {
    if (headers.authorization !== 'sso-key key-of-tests:secret-of-tests') return REFUSED
    if (/^\/domains\/[^/]+$/.test(path))
      return path === `/domains/${zone.name}` ? { json: { domain: zone.name } } : MISSING
    const base = `/domains/${zone.name}/records`
    if (method === 'GET' && path === base)
      return {
        json: zone.rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          const name = relative(row.fqdn, zone.name, '@')
          const [service, protocol, rest = '@'] = name.split('.')
          return row.type === 'SRV'
            ? { type: 'SRV', name: rest, service, protocol, data: value, ttl: 3600, ...numbers }
            : { type: row.type, name, data: value, ttl: 3600, ...numbers }
        }),
      }
    if (method === 'PATCH' && path === base) {
      for (const { type, name, service, protocol, data, ...numbers } of json) {
        expect(type === 'SRV' && numbers.ttl >= 600, 'SRV')
        const fqdn = absolute(name === '@' ? `${service}.${protocol}` : `${service}.${protocol}.${name}`, zone.name)
        zone.add({ fqdn, type, data: joinParts(type, data, numbers) })
      }
      return {}
    }
    const [, type = '', name = ''] = /\/records\/([A-Z]+)\/([^/]+)$/.exec(path) ?? []
    expect(method === 'PUT' && type !== '' && type !== 'SRV', `${method} ${path}`)
    const values = json.map(({ data, ttl, priority }: { data: string; ttl: number; priority?: number }) => {
      expect(ttl >= 600, 'ttl')
      return joinParts(type, data, { priority })
    })
    zone.replace(absolute(name, zone.name), type, values)
    return {}
  },
}
