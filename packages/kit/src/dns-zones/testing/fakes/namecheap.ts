import { expect, type FakeProvider, joinParts, partsOf, strictZoneData } from '../fake-provider.ts'
import { absolute, escapeXml, relative } from './parts.ts'

export const namecheap: FakeProvider = {
  id: 'namecheap',
  good: { credentials: { api_user: 'user-of-tests', api_key: 'key-of-tests', client_ip: '192.0.2.1' } },
  bad: { credentials: { api_user: 'user-of-tests', api_key: 'wrong-of-tests', client_ip: '192.0.2.1' } },
  hasSrv: false,
  handle({ method, query, text }, zone) {
    const fields = method === 'GET' ? query : new URLSearchParams(text)
    const of = (name: string): string => fields.get(name) ?? ''
    const error = (number: number) =>
      `<ApiResponse Status="ERROR"><Errors><Error Number="${number}">no</Error></Errors></ApiResponse>`
    if (of('ApiKey') !== 'key-of-tests' || of('ApiUser') !== of('UserName')) return { text: error(1011102) }
    if (`${of('SLD')}.${of('TLD')}` !== zone.name) return { text: error(2019166) }
    if (of('Command') === 'namecheap.domains.dns.getHosts') {
      const hosts = zone.rows.map((row) => {
        const { value, priority } = { priority: 10, ...partsOf(row) }
        const name = relative(row.fqdn, zone.name, '@')
        return `<host HostId="${row.id}" Name="${name}" Type="${row.type}" Address="${escapeXml(row.type === 'TXT' ? value : `${value}.`)}" MXPref="${priority}" TTL="1800" />`
      })
      return {
        text: `<?xml version="1.0"?><ApiResponse Status="OK"><CommandResponse>${hosts.join('')}</CommandResponse></ApiResponse>`,
      }
    }
    expect(
      method === 'POST' && of('Command') === 'namecheap.domains.dns.setHosts' && of('EmailType') === 'MX',
      'setHosts',
    )
    zone.rows = []
    for (let number = 1; fields.has(`HostName${number}`); number += 1) {
      const [type, address] = [of(`RecordType${number}`), of(`Address${number}`)]
      const value = type === 'TXT' ? address : strictZoneData(type, address)
      const priority = type === 'MX' ? Number(of(`MXPref${number}`)) : undefined
      zone.add({ fqdn: absolute(of(`HostName${number}`), zone.name), type, data: joinParts(type, value, { priority }) })
    }
    return { text: '<ApiResponse Status="OK"></ApiResponse>' }
  },
}
