import { expect, type FakeProvider, joinParts, partsOf } from '../fake-provider.ts'
import { absolute } from './parts.ts'

export const porkbun: FakeProvider = {
  id: 'porkbun',
  good: { credentials: { api_key: 'pk1_of_tests', secret_key: 'sk1_of_tests' } },
  bad: { credentials: { api_key: 'pk1_of_tests', secret_key: 'sk1_wrong' } },
  hasSrv: true,
  handle({ method, path, json }, zone) {
    expect(method === 'POST', method)
    if (json.apikey !== 'pk1_of_tests' || json.secretapikey !== 'sk1_of_tests')
      return { status: 400, json: { status: 'ERROR', message: 'Invalid API key. (002)' } }
    if (path === '/ping') return { json: { status: 'SUCCESS', yourIp: '192.0.2.1' } }
    const [, verb = '', name = '', id = ''] = /^\/dns\/(\w+)\/([^/]+)(?:\/(\d+))?$/.exec(path) ?? []
    if (name !== zone.name) return { status: 400, json: { status: 'ERROR', message: 'Invalid domain.' } }
    const success = { json: { status: 'SUCCESS' } }
    if (verb === 'retrieve') {
      const records = zone.rows.map((row) => {
        const { value, priority, weight, port } = { priority: 0, weight: 0, port: 0, ...partsOf(row) }
        const content = row.type === 'SRV' ? `${weight} ${port} ${value}` : value
        return { id: row.id, name: row.fqdn, type: row.type, content, ttl: '600', prio: String(priority) }
      })
      return { json: { status: 'SUCCESS', records } }
    }
    if (verb === 'edit' || verb === 'delete') zone.remove(id)
    if (verb === 'delete') return success
    expect((verb === 'create' || verb === 'edit') && Number(json.ttl) >= 600 && json.name !== '@', path)
    const priority = json.prio === undefined ? undefined : Number(json.prio)
    const data = json.type === 'SRV' ? `${priority} ${json.content}` : joinParts(json.type, json.content, { priority })
    zone.add({ fqdn: absolute(json.name, zone.name), type: json.type, data })
    return success
  },
}
