import { createServer, type IncomingHttpHeaders } from 'node:http'
import { unquotedText } from '../text.ts'

/** A record as the fakes keep it: `data` as in a zone file, texts unquoted, hosts without the closing dot. */
export type Row = { id: string; fqdn: string; type: string; data: string }

export type FakeRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: fakes look into bodies of every shape
  json: any
}
export type FakeAnswer = { status?: number; json?: unknown; text?: string }

/** One provider's API: answers like it and throws at what it would not take. */
export type FakeProvider = {
  id: string
  /** What is posted to publish there. */
  good: { token: string } | { credentials: Record<string, string> }
  bad: { token: string } | { credentials: Record<string, string> }
  /** Whether the provider can hold SRV records. */
  hasSrv: boolean
  handle(request: FakeRequest, zone: FakeZone): FakeAnswer
}

export type FakeZone = {
  name: string
  rows: Row[]
  add(row: Omit<Row, 'id'>): Row
  remove(id: string): void
  replace(fqdn: string, type: string, data: readonly string[]): void
}

export type RunningFake = { url: string; zone: FakeZone; problems: string[]; close(): Promise<void> }

/** Throws what makes the fake answer 422 and the test fail. */
export const expect = (condition: unknown, problem: string): void => {
  if (!condition) throw new Error(problem)
}

export const startFakeProvider = async (provider: FakeProvider): Promise<RunningFake> => {
  const running = { zone: fakeZone(), problems: [] as string[] }
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const isJson = incoming.headers['content-type'] === 'application/json'
    const request = {
      method: incoming.method ?? '',
      path: decodeURIComponent(url.pathname).replace(/^\/base/, ''),
      query: url.searchParams,
      headers: incoming.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
    try {
      const answer = provider.handle(request, running.zone)
      outgoing.writeHead(answer.status ?? 200, {
        'content-type': answer.text === undefined ? 'application/json' : 'text/xml',
      })
      outgoing.end(answer.text ?? JSON.stringify(answer.json ?? {}))
    } catch (error) {
      running.problems.push(`${request.method} ${request.path}: ${String(error)} ${text.slice(0, 300)}`)
      outgoing.writeHead(422, { 'content-type': 'application/json' })
      outgoing.end('{"message":"refused by the fake"}')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    ...running,
    url: `http://127.0.0.1:${port}/base`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const fakeZone = (): FakeZone => {
  let ids = 1000
  const zone: FakeZone = {
    name: '',
    rows: [],
    add: (row) => {
      expect(['TXT', 'MX', 'CNAME', 'SRV'].includes(row.type), `type ${row.type}`)
      expect(row.fqdn === zone.name || row.fqdn.endsWith(`.${zone.name}`), `name ${row.fqdn}`)
      expect(
        !zone.rows.some((there) => there.fqdn === row.fqdn && there.type === row.type && there.data === row.data),
        'twice',
      )
      ids += 1
      const made = { id: String(ids), ...row }
      zone.rows.push(made)
      return made
    },
    remove: (id) => {
      expect(
        zone.rows.some((row) => row.id === id),
        `no record ${id}`,
      )
      zone.rows = zone.rows.filter((row) => row.id !== id)
    },
    replace: (fqdn, type, data) => {
      zone.rows = zone.rows.filter((row) => row.fqdn !== fqdn || row.type !== type)
      for (const one of data) zone.add({ fqdn, type, data: one })
    },
  }
  return zone
}

/** From zone data as RRset providers take it: texts must be quoted in strings of 255, hosts must end with a dot. */
export const strictZoneData = (type: string, data: string): string => {
  if (type !== 'TXT') {
    expect(data.endsWith('.'), `no closing dot: ${data}`)
    return data === '.' ? data : data.replace(/(\S)\.$/, '$1')
  }
  expect(/^"(?:[^"\\]|\\.){0,255}"(?: "(?:[^"\\]|\\.){0,255}")*$/.test(data), `not quoted: ${data.slice(0, 60)}`)
  return unquotedText(data)
}

/** The other way round. */
export const asZoneData = (type: string, data: string): string =>
  type === 'TXT'
    ? (data.match(/.{1,255}/g) ?? ['']).map((part) => `"${part}"`).join(' ')
    : data.endsWith('.')
      ? data
      : `${data}.`

/** A record in parts: priority, weight, port and the rest. */
export const partsOf = ({ type, data }: Pick<Row, 'type' | 'data'>) => {
  const parts = data.split(' ')
  if (type === 'MX') return { priority: Number(parts[0]), value: parts[1] ?? '' }
  if (type === 'SRV')
    return { priority: Number(parts[0]), weight: Number(parts[1]), port: Number(parts[2]), value: parts[3] ?? '' }
  return { value: data }
}

/** Zone data from the parts that a body has; the numbers must be numbers. */
export const joinParts = (
  type: string,
  value: string,
  numbers: { priority?: unknown; weight?: unknown; port?: unknown },
): string => {
  const { priority, weight, port } = numbers
  if (type === 'MX') {
    expect(typeof priority === 'number', 'MX without priority')
    return `${priority} ${value}`
  }
  if (type === 'SRV') {
    expect(
      [priority, weight, port].every((number) => typeof number === 'number'),
      'SRV without numbers',
    )
    return `${priority} ${weight} ${port} ${value}`
  }
  expect(priority === undefined || priority === null, 'priority where there is none')
  return value
}
