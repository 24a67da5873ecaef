import { createHash, createHmac } from 'node:crypto'
import {
  asZoneData,
  expect,
  type FakeAnswer,
  type FakeProvider,
  type FakeRequest,
  joinParts,
  partsOf,
  strictZoneData,
} from './fake-provider.ts'

const TOKEN = 'good-token-of-the-tests'
const tokens = { good: { token: TOKEN }, bad: { token: 'wrong-token-of-the-tests' } }
const REFUSED: FakeAnswer = { status: 401, json: { message: 'no' } }
const MISSING: FakeAnswer = { status: 404, json: { message: 'not found' } }

const absolute = (name: string, zone: string): string => (name === '' || name === '@' ? zone : `${name}.${zone}`)
const relative = (fqdn: string, zone: string, apex: string): string =>
  fqdn === zone ? apex : fqdn.slice(0, -zone.length - 1)
const setsOf = (rows: readonly { fqdn: string; type: string; data: string }[]) =>
  [...Map.groupBy(rows, ({ fqdn, type }) => `${type} ${fqdn}`).values()].map((set) => ({
    fqdn: set[0]?.fqdn ?? '',
    type: set[0]?.type ?? '',
    values: set.map(({ type, data }) => asZoneData(type, data)),
  }))

export const hetzner: FakeProvider = {
  id: 'hetzner',
  ...tokens,
  hasSrv: true,
  handle({ method, path, headers, json }, zone) {
    if (headers.authorization !== `Bearer ${TOKEN}`) return REFUSED
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

export const gandi: FakeProvider = {
  id: 'gandi',
  ...tokens,
  hasSrv: true,
  handle({ method, path, headers, json }, zone) {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 403, json: { message: 'no' } }
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

export const desec: FakeProvider = {
  id: 'desec',
  ...tokens,
  hasSrv: true,
  handle({ method, path, headers, json }, zone) {
    if (headers.authorization !== `Token ${TOKEN}`) return { status: 401, json: { detail: 'Invalid token.' } }
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

const ACCESS_KEY = 'AKIAOFTESTS'
const SECRET_KEY = 'secret-access-key-of-tests'

/** Signs again from the documentation's steps, with the headers that came. */
const isSigned = ({ method, path, query, headers, text }: FakeRequest): boolean => {
  const [, date = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=AKIAOFTESTS\/(\d{8})\/us-east-1\/route53\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const sorted = [...query].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).sort()
  const head = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const hash = (of: string) => createHash('sha256').update(of).digest('hex')
  const canonical = [method, `/base${path}`, sorted.join('&'), head.join(''), names, hash(text)].join('\n')
  const toSign = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${date}/us-east-1/route53/aws4_request`,
    hash(canonical),
  ].join('\n')
  let key: Buffer = Buffer.from(`AWS4${SECRET_KEY}`)
  for (const part of [date, 'us-east-1', 'route53', 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest()
  return names.startsWith('host;x-amz-date') && createHmac('sha256', key).update(toSign).digest('hex') === signature
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

export const route53: FakeProvider = {
  id: 'route53',
  good: { credentials: { access_key_id: ACCESS_KEY, secret_access_key: SECRET_KEY } },
  bad: { credentials: { access_key_id: ACCESS_KEY, secret_access_key: 'wrong-key-of-tests' } },
  hasSrv: true,
  handle(request, zone) {
    if (!isSigned(request)) return { status: 403, text: '<ErrorResponse/>' }
    const { method, path, text } = request
    if (path === '/hostedzonesbyname')
      return {
        text: `<?xml version="1.0"?><ListHostedZonesByNameResponse><HostedZones><HostedZone><Id>/hostedzone/ZPRIVATE</Id><Name>${zone.name}.</Name><Config><PrivateZone>true</PrivateZone></Config></HostedZone><HostedZone><Id>/hostedzone/Z1</Id><Name>${zone.name}.</Name><Config><PrivateZone>false</PrivateZone></Config></HostedZone></HostedZones></ListHostedZonesByNameResponse>`,
      }
    expect(path === '/hostedzone/Z1/rrset', path)
    if (method === 'GET') {
      const sets = setsOf(zone.rows).map(
        ({ fqdn, type, values }) =>
          `<ResourceRecordSet><Name>${fqdn}.</Name><Type>${type}</Type><TTL>3600</TTL><ResourceRecords>${values.map((value) => `<ResourceRecord><Value>${escaped(value)}</Value></ResourceRecord>`).join('')}</ResourceRecords></ResourceRecordSet>`,
      )
      return {
        text: `<R><ResourceRecordSets>${sets.join('')}</ResourceRecordSets><IsTruncated>false</IsTruncated></R>`,
      }
    }
    const [, name = '', type = ''] =
      /<ChangeResourceRecordSetsRequest xmlns="https:\/\/route53\.amazonaws\.com\/doc\/2013-04-01\/"><ChangeBatch><Changes><Change><Action>UPSERT<\/Action><ResourceRecordSet><Name>([^<]+)\.<\/Name><Type>(\w+)<\/Type><TTL>3600<\/TTL>/.exec(
        text,
      ) ?? []
    expect(name !== '', 'body')
    const values = [...text.matchAll(/<Value>([^<]*)<\/Value>/g)].map(([, value = '']) =>
      strictZoneData(type, unescaped(value)),
    )
    zone.replace(name, type, values)
    return { text: '<ChangeResourceRecordSetsResponse/>' }
  },
}

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
        return `<host HostId="${row.id}" Name="${name}" Type="${row.type}" Address="${escaped(row.type === 'TXT' ? value : `${value}.`)}" MXPref="${priority}" TTL="1800" />`
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

export const SET_FAKES: readonly FakeProvider[] = [hetzner, gandi, desec, godaddy, porkbun, route53, namecheap]
