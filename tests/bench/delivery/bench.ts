import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type BenchServer, compare, load, median, startServer } from '../harness.ts'
import { KEY } from './key.ts'
import { runMillion } from './million.ts'
import { seed } from './seed.ts'

const ENTRIES = 10_000
const CACHE_BYTES = String(64 * 2 ** 20)
const CACHED_TARGET = 0.7
const CPU_TARGET = 2

export const requestOf = (path: string, accepted = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\naccept: application/json\r\n${accepted && `accept-encoding: ${accepted}\r\n`}\r\n`

const CASES = {
  'by slug': '/content/post/post-5000?depth=0',
  'by slug, expanded': '/content/post/post-5000?include=terms,author',
  'list of 25': '/content/post?depth=0',
  'list of 25, expanded': '/content/post?include=terms,author',
}

/**
 * The delivery API with its cache against bare node:http that sends the same bytes, and without its cache against
 * hand-written SQL. `npm run bench -- delivery million` compares a site of a million entries with one of ten thousand.
 */
export const run = async (): Promise<void> => {
  if (process.argv[3] === 'million') return runMillion()
  const database = await seed(ENTRIES)
  try {
    await runCached(database.url)
    await runUncached(database.url)
  } finally {
    await database.drop()
  }
}

const file = (name: string) => new URL(`./${name}`, import.meta.url)

const runCached = async (url: string): Promise<void> => {
  const ours = await startServer(file('cms-server.ts'), [url, CACHE_BYTES])
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    for (const [name, accepted] of [
      ['by slug', ''],
      ['list of 25, expanded', ''],
      ['list of 25, expanded', 'br'],
    ] as const) {
      const request = requestOf(CASES[name], accepted)
      const recorded = join(folder, 'answer.json')
      writeFileSync(recorded, JSON.stringify(parseAnswer(await load(ours.port, { request, connections: 1, total: 1 }))))
      const limit = await startServer(file('bare-server.ts'), [recorded])
      const work = { request, connections: 16, total: 4_000 }
      await compare(`cached, ${name}${accepted && `, ${accepted}`}`, {
        ours,
        limit,
        limitName: 'bare node:http',
        work,
        rounds: 21,
        target: CACHED_TARGET,
      })
      await limit.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
    await ours.stop()
  }
}

/** The body in base64: it may be compressed. */
const parseAnswer = (answer: Buffer): { headers: Record<string, string>; body: string } => {
  const end = answer.indexOf('\r\n\r\n')
  const lines = answer.toString('latin1', 0, end).split('\r\n').slice(1)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const own = new Set(['date', 'connection', 'keep-alive'])
  return {
    headers: Object.fromEntries(headers.filter(([name]) => !own.has(name))),
    body: answer.toString('base64', end + 4),
  }
}

const runUncached = async (url: string): Promise<void> => {
  const ours = await measured(url, 'stoa-cms', await startServer(file('cms-server.ts'), [url, '0']))
  const counting = await measured(url, 'bench-hand', await startServer(file('hand-server.ts'), [url, 'count']))
  const keeping = await measured(url, 'bench-hand', await startServer(file('hand-server.ts'), [url, 'kept']))
  try {
    for (const [name, path] of Object.entries(CASES)) {
      const request = requestOf(path)
      const [mine, theirs] = await Promise.all([ours, keeping].map((server) => bodyOf(server, request)))
      if (mine !== theirs) throw new Error(`The answers to ${path} differ:\n${mine}\n---\n${theirs}`)
      const costs = await compareCpu([ours, counting, keeping], request, path.includes('post-') ? 400 : 120)
      const [our = 0, counted = 0, kept = 0] = costs
      process.stdout.write(
        `not cached, ${name}: ${our.toFixed(2)} ms CPU per request with PostgreSQL; by hand ${counted.toFixed(2)} ms ` +
          `(ratio ${(our / counted).toFixed(2)}, target <= ${CPU_TARGET}), without counting ${kept.toFixed(2)} ms ` +
          `(ratio ${(our / kept).toFixed(2)})\n`,
      )
    }
  } finally {
    await Promise.all([ours, counting, keeping].map((server) => server.stop()))
  }
}

type Measured = BenchServer & { allCpuSeconds(): Promise<number> }

/** With the CPU of the server's connections in PostgreSQL. */
const measured = async (url: string, applicationName: string, server: BenchServer): Promise<Measured> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const before = await pidsOf(client, applicationName)
  await load(server.port, { request: requestOf(CASES['list of 25']), connections: 8, total: 40 })
  return {
    ...server,
    async allCpuSeconds() {
      const own = (await pidsOf(client, applicationName)).filter((pid) => !before.includes(pid))
      return (await server.cpuSeconds()) + own.reduce((sum, pid) => sum + cpuOf(pid), 0)
    },
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}

const pidsOf = async (client: pg.Client, applicationName: string): Promise<number[]> => {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [applicationName],
  )
  return rows.map(({ pid }) => pid)
}

const cpuOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9

const bodyOf = async (server: BenchServer, request: string): Promise<string> => {
  const answer = await load(server.port, { request, connections: 1, total: 1 })
  return answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4)
}

const ROUNDS = 9

/** Milliseconds per request of each server, in turns. */
const compareCpu = async (servers: readonly Measured[], request: string, total: number): Promise<number[]> => {
  const costs = servers.map((): number[] => [])
  for (let round = -2; round < ROUNDS; round += 1)
    for (const [index, server] of servers.entries()) {
      const before = await server.allCpuSeconds()
      await load(server.port, { request, connections: 4, total })
      if (round >= 0) costs[index]?.push(((await server.allCpuSeconds()) - before) / total)
    }
  return costs.map((values) => median(values) * 1000)
}
