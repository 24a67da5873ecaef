import {
  asZoneData,
  expect,
  type FakeAnswer,
  type FakeProvider,
  type FakeRequest,
  type FakeZone,
  joinParts,
  partsOf,
  type Row,
  strictZoneData,
} from './fake-provider.ts'

const TOKEN = 'good-token-of-the-tests'
const tokens = { good: { token: TOKEN }, bad: { token: 'wrong-token-of-the-tests' } }
const isBearer = ({ headers }: FakeRequest): boolean => headers.authorization === `Bearer ${TOKEN}`
const REFUSED: FakeAnswer = { status: 401, json: { message: 'Unable to authenticate you' } }
const MISSING: FakeAnswer = { status: 404, json: { message: 'not found' } }

const absolute = (name: string, zone: string): string => (name === '' || name === '@' ? zone : `${name}.${zone}`)
const relative = (fqdn: string, zone: string, apex: string): string =>
  fqdn === zone ? apex : fqdn.slice(0, -zone.length - 1)
const undotted = (value: string): string => {
  expect(value.endsWith('.'), `no closing dot: ${value}`)
  return value === '.' ? value : value.slice(0, -1)
}

/** Routes of APIs in which each record has an id. */
const byRecord = (
  request: FakeRequest,
  zone: FakeZone,
  api: {
    path: string
    list: (rows: Row[]) => unknown
    read: (json: FakeRequest['json'], existing: Row | undefined) => Omit<Row, 'id'>
    update?: 'PUT' | 'PATCH'
  },
): FakeAnswer => {
  const { method, path } = request
  if (method === 'GET' && path === api.path) return { json: api.list(zone.rows) }
  if (method === 'POST' && path === api.path) {
    expect(request.json.ttl === 3600 || request.json.ttl_sec === 3600, 'no ttl')
    return { status: 201, json: { id: zone.add(api.read(request.json, undefined)).id } }
  }
  const id = path.slice(api.path.length + 1)
  const existing = zone.rows.find((row) => row.id === id)
  expect(path.startsWith(`${api.path}/`) && existing, `no such route or record: ${path}`)
  if (method === 'DELETE') {
    zone.remove(id)
    return { status: 200 }
  }
  expect(method === api.update, `verb ${method}`)
  const changed = api.read(request.json, existing)
  zone.remove(id)
  zone.add(changed)
  return { json: {} }
}

export const cloudflare: FakeProvider = {
  id: 'cloudflare',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return { status: 403, json: { success: false, errors: [{ message: 'Invalid token' }] } }
    if (request.path === '/zones') {
      const result = request.query.get('name') === zone.name ? [{ id: 'z1', name: zone.name }] : []
      return { json: { success: true, result } }
    }
    return byRecord(request, zone, {
      path: '/zones/z1/dns_records',
      update: 'PUT',
      list: (rows) => ({
        success: true,
        result_info: { total_pages: 1 },
        result: rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          const base = { id: row.id, type: row.type, name: row.fqdn }
          if (row.type === 'SRV') return { ...base, content: 'x', data: { ...numbers, target: value } }
          return { ...base, content: row.type === 'TXT' ? asZoneData('TXT', value) : value, ...numbers }
        }),
      }),
      read: ({ type, name, content, priority, data, proxied }) => {
        expect(type !== 'CNAME' || proxied === false, 'proxied')
        if (type === 'SRV') return { type, fqdn: name, data: joinParts(type, data.target, data) }
        const value = type === 'TXT' ? strictZoneData(type, content) : content
        return { type, fqdn: name, data: joinParts(type, value, { priority }) }
      },
    })
  },
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

const vultrContent = ({ type, data }: Row) => {
  const { value, priority, weight, port } = {
    priority: undefined,
    weight: undefined,
    port: undefined,
    ...partsOf({ type, data }),
  }
  return { data: type === 'SRV' ? `${weight} ${port} ${value}` : value, priority: priority ?? 0 }
}
const fromContent = (type: string, content: string, priority: unknown): string => {
  if (type !== 'SRV') return joinParts(type, content, { priority })
  expect(/^\d+ \d+ \S+$/.test(content), `SRV ${content}`)
  expect(typeof priority === 'number', 'SRV without priority')
  return `${priority} ${content}`
}

export const vultr: FakeProvider = {
  id: 'vultr',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (/^\/domains\/[^/]+$/.test(request.path))
      return request.path === `/domains/${zone.name}` ? { json: { domain: { domain: zone.name } } } : MISSING
    return byRecord(request, zone, {
      path: `/domains/${zone.name}/records`,
      update: 'PATCH',
      list: (rows) => ({
        meta: { links: { next: '' } },
        records: rows.map((row) => {
          const content = vultrContent(row)
          const data = row.type === 'TXT' ? asZoneData('TXT', content.data) : content.data
          return { id: row.id, type: row.type, name: relative(row.fqdn, zone.name, ''), ...content, data }
        }),
      }),
      read: (json, existing) => {
        const type = existing?.type ?? json.type
        const data = type === 'TXT' ? strictZoneData(type, json.data) : json.data
        const fqdn = existing?.fqdn ?? absolute(json.name, zone.name)
        return { type, fqdn, data: fromContent(type, data, json.priority) }
      },
    })
  },
}

export const dnsimple: FakeProvider = {
  id: 'dnsimple',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (request.path === '/accounts') return { json: { data: [{ id: 7 }] } }
    if (/^\/7\/zones\/[^/]+$/.test(request.path))
      return request.path === `/7/zones/${zone.name}` ? { json: { data: { name: zone.name } } } : MISSING
    return byRecord(request, zone, {
      path: `/7/zones/${zone.name}/records`,
      update: 'PATCH',
      list: (rows) => ({
        pagination: { total_pages: 1 },
        data: rows.map((row) => {
          const { data, priority } = vultrContent(row)
          const base = { id: Number(row.id), type: row.type, name: relative(row.fqdn, zone.name, '') }
          return { ...base, content: row.type === 'TXT' ? asZoneData('TXT', data) : data, priority }
        }),
      }),
      read: (json, existing) => {
        const type = existing?.type ?? json.type
        const fqdn = existing?.fqdn ?? absolute(json.name, zone.name)
        return { type, fqdn, data: fromContent(type, json.content, json.priority) }
      },
    })
  },
}

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

export const netlify: FakeProvider = {
  id: 'netlify',
  ...tokens,
  hasSrv: true,
  handle(request, zone) {
    if (!isBearer(request)) return REFUSED
    if (request.path === '/dns_zones') return { json: [{ id: 'z_1', name: zone.name }] }
    return byRecord(request, zone, {
      path: '/dns_zones/z_1/dns_records',
      list: (rows) =>
        rows.map((row) => {
          const { value, ...numbers } = partsOf(row)
          return { id: row.id, type: row.type, hostname: row.fqdn, value, ...numbers }
        }),
      read: ({ type, hostname, value, ...numbers }) => ({
        type,
        fqdn: hostname,
        data: joinParts(type, value, numbers),
      }),
    })
  },
}

export const RECORD_FAKES: readonly FakeProvider[] = [
  cloudflare,
  digitalocean,
  vultr,
  dnsimple,
  linode,
  vercel,
  netlify,
]
