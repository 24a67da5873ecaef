import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { until } from '../lib/waiting.ts'

/** The processes that a primary has forked. */
export const workersOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** The roles of the processes that look at the health of their machine. */
export const watchedRoles = async (databaseUrl: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ roles: string }>('select roles from health_machine order by roles')
    return rows.map(({ roles }) => roles)
  } finally {
    await client.end()
  }
}

export type Answer = { status: number; headers: Record<string, unknown>; text: string; worker: string }
type Call = { method?: string; token?: string; headers?: OutgoingHttpHeaders; body?: unknown; agent?: Agent }

/** On a connection of its own, which any worker may accept, or on that of an agent. */
export const ask = (url: string, { method = 'GET', token, headers = {}, body, agent }: Call = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const json = body === undefined ? undefined : JSON.stringify(body)
    const sent = request(url, {
      method,
      agent: agent ?? false,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.setTimeout(30_000, () => sent.destroy(new Error(`${method} ${url} is not answered`)))
    sent.on('response', async (response) => {
      const { statusCode: status = 0 } = response
      // Each process begins its request ids with a text of its own.
      const [worker = ''] = String(response.headers['x-request-id']).split('-')
      resolve({ status, headers: response.headers, text: await text(response), worker })
    })
    sent.end(json)
  })

/** Waits until so many different workers answer. */
export const untilWorkersAnswer = async (url: string, count: number): Promise<string[]> => {
  const recent = 10 * count
  const seen: string[] = []
  await until(async () => {
    seen.push((await ask(url)).worker)
    return new Set(seen.slice(-recent)).size === count
  }, `${count} workers answer`)
  return [...new Set(seen.slice(-recent))]
}

/** A connection to each of so many workers. More may be asked on it, and a socket may take it over. */
export const connectToWorkers = async (url: string, count: number): Promise<Agent[]> => {
  const connections = new Map<string, Agent>()
  await until(async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { worker } = await ask(url, { agent })
    if (connections.has(worker)) agent.destroy()
    else connections.set(worker, agent)
    // Another connection could be to another worker.
    agent.createConnection = () => assert.fail('the connection to a worker was closed')
    return connections.size === count
  }, `${count} workers are connected to`)
  return [...connections.values()]
}

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
