import { expect, type FakeProvider, strictZoneData } from '../fake-provider.ts'
import { absolute, isBearer, MISSING, relative, setsOf, tokens } from './parts.ts'

export const gandi: FakeProvider = {
  id: 'gandi',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    const { method, path, json } = request
    if (!isBearer(request)) return { status: 403, json: { message: 'no' } }
    if (/^\/domains\/[^/]+$/.test(path))
      return path === `/domains/${zone.name}` ? { json: { fqdn: zone.name } } : MISSING
    const base = `/domains/${zone.name}/records`
    if (method === 'GET' && path === base)
      return {
        json: setsOf(zone.rows).map(({ fqdn, type, values }) => ({
          rrset_name: relative(fqdn, zone.name, '@'),
          rrset_type: type,
          rrset_ttl: 3600,
          rrset_values: values,
        })),
      }
    const [, name = '', type = ''] = /\/records\/([^/]+)\/([A-Z]+)$/.exec(path) ?? []
    expect(method === 'PUT' && name !== '' && json.rrset_ttl >= 300, `${method} ${path}`)
    const values: string[] = json.rrset_values
    zone.replace(
      absolute(name, zone.name),
      type,
      values.map((value) => strictZoneData(type, value)),
    )
    return { status: 201, json: { message: 'DNS Record Created' } }
  },
}
