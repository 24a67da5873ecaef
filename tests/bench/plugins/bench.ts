import { Agent, request } from 'node:http'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { KEY } from '../delivery/key.ts'
import { seed } from '../delivery/seed.ts'
import { createGoals } from '../goals.ts'
import { median, startServer } from '../harness.ts'

const ENTRIES = 1_000
/** Short ones in turn, so that a machine that is slow for a while is so for both. */
const ROUNDS = 40
const REQUESTS = 60
const COST_ROUNDS = 7
/** Times what an answer takes beside a plugin that rests. */
const MOST_LATENCY = 1.1

/** Whether anybody else notices a plugin that loops for ever, and what a call of a plugin costs. */
export const run = async (): Promise<void> => {
  const database = await seed(ENTRIES, { passages: 1 })
  const controlPort = await freePort()
  const server = await startServer(new URL('./server.ts', import.meta.url), [database.url, String(controlPort)])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = (port: number, path: string) => ask(agent, port, path)
  const control = (path: string) => get(controlPort, path)
  try {
    const read = () => latency(() => get(server.port, '/content/post/post-500?depth=0'), REQUESTS)
    await read()
    const times: { rest: number[]; loop: number[] } = { rest: [], loop: [] }
    for (let round = 0; round < ROUNDS; round += 1) {
      await control('/rest')
      times.rest.push(await read())
      await control('/loop')
      times.loop.push(await read())
    }
    await control('/rest')
    const [rest, loop] = [median(times.rest), median(times.loop)]
    const goals = createGoals()
    goals.check(
      `delivery of one entry: ${micros(rest)}, beside a plugin that loops for ever ${micros(loop)}; ` +
        `ratio ${(loop / rest).toFixed(2)}`,
      loop / rest,
      MOST_LATENCY,
    )
    await cost(control)
    goals.finish()
  } finally {
    agent.destroy()
    await server.stop()
    await database.drop()
  }
}

const cost = async (control: (path: string) => Promise<void>): Promise<void> => {
  const times: Record<string, number[]> = { '/bare': [], '/plan': [], '/ask': [] }
  for (let round = 0; round < COST_ROUNDS; round += 1)
    for (const [path, list] of Object.entries(times)) list.push(await latency(() => control(path), 20))
  const [bare = 0, plan = 0, asks = 0] = Object.values(times).map(median)
  process.stdout.write(
    `a bare route ${micros(bare)}; through the sandbox ${micros(plan)}, ${(plan / bare).toFixed(1)} times that; ` +
      `with ten calls of the service ${micros(asks)}, ${micros((asks - plan) / 10)} each\n`,
  )
}

const micros = (ms: number): string => `${(ms * 1_000).toFixed(0)} µs`

/** The middle of so many, one after the other. */
const latency = async (work: () => Promise<void>, count: number): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return median(times)
}

const ask = (agent: Agent, port: number, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request({ agent, host: '127.0.0.1', port, path, headers: { 'x-api-key': KEY } }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${path} answered ${response.statusCode}`))
      })
    })
      .on('error', reject)
      .end()
  })
