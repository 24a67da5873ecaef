import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGoals, type Goals } from '../goals.ts'
import { type BenchServer, median, startServer } from '../harness.ts'
import { type Measured, withPostgres } from '../measured.ts'
import { CACHED, CACHED_GOAL, CASES, requestOf } from './cases.ts'
import { ask, loadAll } from './load.ts'
import { runMillion } from './million.ts'
import { fillSearch, seed } from './seed.ts'

const ENTRIES = 10_000
/** Six passages of half a kilobyte. */
const PASSAGES = 6
const CACHE_BYTES = String(256 * 2 ** 20)
const ROUNDS = 7
/** Until both are compiled: the cost of a request falls for some thousands of them. */
const WARM_UPS = 10
const CACHED_ROUNDS = 9
/** Bare node:http has settled after five rounds, ours after seven: in between they would be compared unfairly. */
const CACHED_WARM_UPS = 10

/**
 * The delivery API with its cache against bare node:http that sends the same bytes, and without its cache against
 * hand-written SQL: CPU, in turns, each over many addresses. `npm run bench -- delivery cached` measures the first alone,
 * `npm run bench -- delivery million` compares a site of a million entries with one of ten thousand.
 */
export const run = async (): Promise<void> => {
  if (process.argv[3] === 'million') return runMillion()
  const database = await seed(ENTRIES, { passages: PASSAGES })
  const goals = createGoals()
  try {
    if (process.argv[3] !== 'cached') await runUncached(database.url, goals)
    await runCached(database.url, goals)
    goals.finish()
  } finally {
    await database.drop()
  }
}

const file = (name: string) => new URL(`./${name}`, import.meta.url)

const runUncached = async (url: string, goals: Goals): Promise<void> => {
  await fillSearch(url)
  const ours = await withPostgres(url, 'stoa-cms', await startServer(file('cms-server.ts'), [url, '0']))
  const hand = await withPostgres(url, 'bench-hand', await startServer(file('hand-server.ts'), [url]))
  try {
    for (const [name, { paths, goal, total }] of Object.entries(CASES)) {
      const requests = paths.map((path) => requestOf(path))
      for (const request of requests.slice(0, 5)) await refuseDifferent(ours, hand, request)
      const { cold, warm } = await compareCpu([ours, hand], { requests, total, rounds: ROUNDS })
      const [mine, byHand] = warm
      const times = mine.total / byHand.total
      goals.check(
        `not cached, ${name}: ${mine.total.toFixed(2)} ms CPU (${mine.server.toFixed(2)} + PostgreSQL ` +
          `${mine.database.toFixed(2)}), by hand ${byHand.total.toFixed(2)}; ${times.toFixed(2)} times; ` +
          `cold ${cold.map((each) => each.total.toFixed(2)).join(', by hand ')}`,
        mine.total,
        goal,
      )
    }
  } finally {
    await Promise.all([ours.stop(), hand.stop()])
  }
}

const refuseDifferent = async (ours: BenchServer, hand: BenchServer, request: string): Promise<void> => {
  const [mine, theirs] = await Promise.all([ours, hand].map((server) => bodyOf(server, request)))
  if (mine !== theirs) throw new Error(`The answers differ to ${request}\n${mine}\n---\n${theirs}`)
}

const bodyOf = async (server: BenchServer, request: string): Promise<string> => {
  const answer = await ask(server.port, request)
  return answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4)
}

type Cost = { total: number; server: number; database: number }
type Work = { requests: readonly string[]; total: number; rounds: number }

/** Milliseconds per request of both servers, in turns: their first round, and the medians of the rounds after they are warm. */
const compareCpu = async (
  servers: readonly [Measured, Measured],
  work: Work,
): Promise<Record<'cold' | 'warm', [Cost, Cost]>> => {
  const cold = [await costOf(servers[0], work, 0), await costOf(servers[1], work, 0)] satisfies [Cost, Cost]
  const rounds: [Cost[], Cost[]] = [[], []]
  for (let round = -WARM_UPS; round < work.rounds; round += 1)
    for (const index of [0, 1] as const) {
      const cost = await costOf(servers[index], work, WARM_UPS + round + 1)
      if (round >= 0) rounds[index].push(cost)
    }
  return { cold, warm: [middle(rounds[0]), middle(rounds[1])] }
}

const costOf = async (server: Measured, { requests, total }: Work, round: number): Promise<Cost> => {
  const start = (round * total) % requests.length
  const since = await server.start()
  await loadAll(server.port, {
    requests: [...requests.slice(start), ...requests].slice(0, total),
    connections: 4,
    total,
  })
  const { server: own, database } = await since()
  const each = (seconds: number) => (seconds / total) * 1000
  return { server: each(own), database: each(database), total: each(own + database) }
}

const middle = (costs: readonly Cost[]): Cost => ({
  total: median(costs.map(({ total }) => total)),
  server: median(costs.map(({ server }) => server)),
  database: median(costs.map(({ database }) => database)),
})

const runCached = async (url: string, goals: Goals): Promise<void> => {
  const ours = await startServer(file('cms-server.ts'), [url, CACHE_BYTES])
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    for (const [name, { paths, accepted }] of Object.entries(CACHED)) {
      const recorded = join(folder, 'answers.json')
      const answers = []
      for (const path of paths) answers.push({ path, ...parseAnswer(await ask(ours.port, requestOf(path, accepted))) })
      writeFileSync(recorded, JSON.stringify(answers))
      const limit = await startServer(file('bare-server.ts'), [recorded])
      const requests = paths.map((path) => requestOf(path, accepted))
      await checkCached(name, [ours, limit], requests, goals)
      await limit.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
    await ours.stop()
  }
}

const checkCached = async (
  name: string,
  servers: readonly [BenchServer, BenchServer],
  requests: readonly string[],
  goals: Goals,
): Promise<void> => {
  const total = 2_000
  const measure = async (server: BenchServer): Promise<number> => {
    const before = await server.cpuSeconds()
    await loadAll(server.port, { requests, connections: 16, total })
    return (((await server.cpuSeconds()) - before) / total) * 1e6
  }
  // Until both are compiled and their memory has settled.
  for (let round = 0; round < CACHED_WARM_UPS; round += 1) for (const server of servers) await measure(server)
  const pairs: [number, number][] = []
  for (let round = 0; round < CACHED_ROUNDS; round += 1) {
    const bare = await measure(servers[1])
    pairs.push([await measure(servers[0]), bare])
  }
  const ratio = median(pairs.map(([mine, bare]) => mine / bare))
  const [mine, bare] = [median(pairs.map(([m]) => m)), median(pairs.map(([, b]) => b))]
  goals.check(
    `cached, ${name}: ${mine.toFixed(1)} µs CPU, bare node:http ${bare.toFixed(1)} µs; ${ratio.toFixed(2)} times`,
    ratio,
    CACHED_GOAL,
  )
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
