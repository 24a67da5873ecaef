import { expect, type FakeProvider, strictZoneData } from '../fake-provider.ts'
import { absolute, MISSING, relative, setsOf, tokens } from './parts.ts'

export const desec: FakeProvider = {
  id: 'desec',
  ...tokens,
  hasSrv: true,
  handle({ method, path, headers, json }, zone) {
    if (headers.authorization !== `Token ${tokens.good.token}`)
      return { status: 401, json: { detail: 'Invalid token.' } }
    if (/^\/domains\/[^/]+\/$/.test(path))
      return path === `/domains/${zone.name}/` ? { json: { name: zone.name } } : MISSING
    expect(path === `/domains/${zone.name}/rrsets/`, path)
    if (method === 'GET')
      return {
        json: setsOf(zone.rows).map(({ fqdn, type, values }) => ({
          subname: relative(fqdn, zone.name, ''),
          type,
          ttl: 3600,
          records: values,
        })),
      }
    expect(method === 'PUT' && Array.isArray(json), `${method} ${path}`)
    for (const { subname, type, ttl, records } of json) {
      expect(ttl >= 3600 && subname !== '@', 'ttl or name')
      zone.replace(
        absolute(subname, zone.name),
        type,
        records.map((value: string) => strictZoneData(type, value)),
      )
    }
    return { json }
  },
}
