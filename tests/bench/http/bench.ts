import { createGoals } from '../goals.ts'
import { type BenchServer, type Load, load, median, middleHalf, startServer } from '../harness.ts'
import { TOKEN } from './record.ts'

const REQUEST = `GET /api/things/42 HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\naccept: application/json\r\n\r\n`
/** Times the CPU of bare node:http. */
const MOST_RATIO = 1.33
const ROUNDS = 41
const WARM_UP = 20_000

/**
 * An authenticated JSON route of the kit (token hashed and looked up, permission checked, path parsed, answer built by
 * its schema, security headers, request id) against bare node:http that sends the same bytes behind the same check.
 */
export const run = async (): Promise<void> => {
  const ours = await startServer(new URL('./kit-server.ts', import.meta.url))
  const limit = await startServer(new URL('./bare-server.ts', import.meta.url))
  try {
    const answers = [ours, limit].map((server) => load(server.port, { request: REQUEST, connections: 1, total: 1 }))
    const [mine, bare] = (await Promise.all(answers)).map(String)
    if (sameBytes(mine) !== sameBytes(bare)) throw new Error(`The two answers differ:\n${mine}\n---\n${bare}`)
    await compare(ours, limit)
  } finally {
    await Promise.all([ours.stop(), limit.stop()])
  }
}

/** Everything but the date and the request's own id. */
const sameBytes = (answer: string | undefined): string =>
  (answer ?? '').replace(/\r\ndate: [^\r]*/i, '').replace(/\r\nx-request-id: [^\r]*/i, (line) => ` id:${line.length}`)

/** Ours and the limit in turns in short rounds, so that a noisy moment hits both. */
const compare = async (ours: BenchServer, limit: BenchServer): Promise<void> => {
  const work = { request: REQUEST, connections: 16, total: 4_000 }
  // Until both are compiled and their memory has settled.
  for (const server of [ours, limit]) await cpuOf(server, { ...work, total: WARM_UP })
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ bare: await cpuOf(limit, work), ours: await cpuOf(ours, work) })
  const ratios = rounds.map((round) => round.ours / round.bare)
  const micros = (side: 'ours' | 'bare') => median(rounds.map((round) => round[side])).toFixed(1)
  const goals = createGoals()
  goals.check(
    `an authenticated JSON route: ${micros('ours')} µs CPU per operation, bare node:http ${micros('bare')} µs; ` +
      `${median(ratios).toFixed(2)} times that (${ROUNDS} rounds, middle half ${middleHalf(ratios)})`,
    median(ratios),
    MOST_RATIO,
  )
  goals.finish()
}

/** Microseconds of the server for each operation. */
const cpuOf = async (server: BenchServer, work: Load): Promise<number> => {
  const before = await server.cpuSeconds()
  await load(server.port, work)
  return (((await server.cpuSeconds()) - before) * 1e6) / work.total
}
