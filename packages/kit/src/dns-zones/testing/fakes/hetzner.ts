import { expect, type FakeProvider, strictZoneData } from '../fake-provider.ts'
import { absolute, isBearer, MISSING, REFUSED, relative, setsOf, tokens } from './parts.ts'

export const hetzner: FakeProvider = {
  id: 'hetzner',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    const { method, path, json } = request
    if (!isBearer(request)) return REFUSED
    const base = `/zones/${zone.name}/rrsets`
    if (/^\/zones\/[^/]+$/.test(path))
      return path === `/zones/${zone.name}` ? { json: { zone: { name: zone.name } } } : MISSING
    if (method === 'GET' && path === base) {
      const rrsets = setsOf(zone.rows).map(({ fqdn, type, values }) => {
        const name = relative(fqdn, zone.name, '@')
        return { id: `${name}/${type}`, name, type, ttl: 3600, records: values.map((value) => ({ value })) }
      })
      return { json: { rrsets, meta: { pagination: { next_page: null } } } }
    }
    const [, name = json.name, type = json.type] = /rrsets\/([^/]+)\/([A-Z]+)\/actions\/set_records$/.exec(path) ?? []
    const fqdn = absolute(name, zone.name)
    const isThere = zone.rows.some((row) => row.fqdn === fqdn && row.type === type)
    expect(method === 'POST' && isThere === (path !== base), `${method} ${path}`)
    expect(path !== base || json.ttl === 3600, 'no ttl')
    zone.replace(
      fqdn,
      type,
      json.records.map(({ value }: { value: string }) => strictZoneData(type, value)),
    )
    return { status: 201, json: { action: { id: 1, status: 'success' } } }
  },
}
