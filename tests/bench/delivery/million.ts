import { createGoals } from '../goals.ts'
import { type BenchServer, load, median, startServer } from '../harness.ts'
import { KEY } from './key.ts'
import { seed } from './seed.ts'

/** Times what ten thousand take. */
const MOST_RATIO = 2
const ROUNDS = 25

const CASES = {
  'first page': '/content/post?include=terms,author',
  'term filter': '/content/post?term=term-3',
  'sort by an indexed field': '/content/post?sort=price',
  'sort downwards by an indexed field': '/content/post?sort=-price',
  'sort by title': '/content/post?sort=title',
  'filter by an indexed field': '/content/post?filter[price][gte]=9000',
  'the few with one value of it': '/content/post?filter[price][eq]=4711&depth=0',
  'page 40': '/content/post?page=40',
}

/** Ten thousand and a million entries of one type: the time of one request, the total known and not cached. */
export const runMillion = async (): Promise<void> => {
  const sites = [await seed(10_000, { passages: 1 }), await seed(1_000_000, { passages: 1 })]
  const servers = await Promise.all(
    sites.map(({ url }) => startServer(new URL('./cms-server.ts', import.meta.url), [url, '0'])),
  )
  const goals = createGoals()
  try {
    for (const [name, path] of Object.entries(CASES)) {
      const firsts: number[] = []
      for (const server of servers) firsts.push(await time(server, path))
      const times = servers.map((): number[] => [])
      for (let round = -5; round < ROUNDS; round += 1)
        for (const [index, server] of servers.entries()) {
          const taken = await time(server, path)
          if (round >= 0) times[index]?.push(taken)
        }
      const [small = 0, large = 0] = times.map(median)
      goals.check(
        `a million, ${name}: ${large.toFixed(2)} ms, ten thousand ${small.toFixed(2)} ms; the first with its count ` +
          `${firsts[1]?.toFixed(0)} ms; ratio ${(large / small).toFixed(2)}`,
        large / small,
        MOST_RATIO,
      )
    }
    goals.finish()
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    for (const site of sites) await site.drop()
  }
}

const time = async (server: BenchServer, path: string): Promise<number> => {
  const start = performance.now()
  await load(server.port, {
    request: `GET ${encodeURI(path)} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\n\r\n`,
    connections: 1,
    total: 1,
  })
  return (performance.now() - start) / 2
}
