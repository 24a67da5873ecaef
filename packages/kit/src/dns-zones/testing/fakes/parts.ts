import {
  asZoneData,
  expect,
  type FakeAnswer,
  type FakeRequest,
  type FakeZone,
  joinParts,
  partsOf,
  type Row,
} from '../fake-provider.ts'

const TOKEN = 'good-token-of-the-tests'
export const tokens = { good: { token: TOKEN }, bad: { token: 'wrong-token-of-the-tests' } }
export const isBearer = ({ headers }: FakeRequest): boolean => headers.authorization === `Bearer ${TOKEN}`
export const REFUSED: FakeAnswer = { status: 401, json: { message: 'Unable to authenticate you' } }
export const MISSING: FakeAnswer = { status: 404, json: { message: 'not found' } }

export const absolute = (name: string, zone: string): string => (name === '' || name === '@' ? zone : `${name}.${zone}`)
export const relative = (fqdn: string, zone: string, apex: string): string =>
  fqdn === zone ? apex : fqdn.slice(0, -zone.length - 1)

/** Routes of APIs in which each record has an id. */
export const byRecord = (
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

/** Records in sets of one name and type, as zone data. */
export const setsOf = (rows: readonly { fqdn: string; type: string; data: string }[]) =>
  [...Map.groupBy(rows, ({ fqdn, type }) => `${type} ${fqdn}`).values()].map((set) => ({
    fqdn: set[0]?.fqdn ?? '',
    type: set[0]?.type ?? '',
    values: set.map(({ type, data }) => asZoneData(type, data)),
  }))

/** What APIs have in which priority is a member and the rest of an SRV record a text. */
export const contentOf = ({ type, data }: Row) => {
  const { value, priority, weight, port } = {
    priority: undefined,
    weight: undefined,
    port: undefined,
    ...partsOf({ type, data }),
  }
  return { data: type === 'SRV' ? `${weight} ${port} ${value}` : value, priority: priority ?? 0 }
}
export const fromContent = (type: string, content: string, priority: unknown): string => {
  if (type !== 'SRV') return joinParts(type, content, { priority })
  expect(/^\d+ \d+ \S+$/.test(content), `SRV ${content}`)
  expect(typeof priority === 'number', 'SRV without priority')
  return `${priority} ${content}`
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
export const unescapeXml = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
