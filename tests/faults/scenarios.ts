import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { readPidFile } from '@stoa/kit/postgres/leftover.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { startService } from './service-process.ts'
import { call, keepWriting, type Outcome, prepareWriters, readCounter, type Writer } from './writers.ts'

/** What a scenario saw; `broken` names the invariants that did not hold, and is empty on success. */
export type Report = { figures: Record<string, number>; broken: string[] }

const WRITERS = 4

/** The service is killed at random points of a stream of writes. What was acknowledged must be there, once. */
export const killedService = async ({ kills }: { kills: number }): Promise<Report> => {
  const database = await freshDatabase()
  const service = await startService('cms', { CMS_DATABASE_URL: database.url })
  const { token, writers } = await prepareWriters(service.url, WRITERS)
  const load = startLoad(service.url, token, writers)
  const broken: string[] = []
  while (writers.every(({ acknowledged }) => acknowledged === 0)) await sleep(20)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(50 + Math.random() * 300)
    await service.kill()
    await service.restart()
    for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  }
  const outcomes = await load.stop()
  for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  await service.stop()
  await database.drop()
  return { figures: { kills, ...summary(outcomes) }, broken }
}

/** The database is stopped hard under load. The service answers 503 in time and recovers without a restart. */
export const killedDatabase = async ({ kills }: { kills: number }): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const server = await startPostgres({ folder })
  const database = await ensureDatabase(server, 'stoa_cms')
  const service = await startService('cms', { CMS_DATABASE_URL: database })
  const { token, writers } = await prepareWriters(service.url, WRITERS)
  const load = startLoad(service.url, token, writers)
  const broken: string[] = []
  let slowestRecovery = 0
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(300 + Math.random() * 300)
    crash(join(folder, 'cluster'))
    await untilNotReady(service.url)
    slowestRecovery = Math.max(slowestRecovery, await untilReady(service.url))
    for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  }
  const outcomes = await load.stop()
  for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  broken.push(...answersInTime(outcomes))
  if (service.hasExited()) broken.push('the service ended instead of recovering')
  await service.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return { figures: { kills, ...summary(outcomes), recovery_ms: Math.round(slowestRecovery) }, broken }
}

/** The line to the database goes dead without being cut. Requests end with 503 within 10 s; afterwards all is well. */
export const deadLine = async ({ seconds }: { seconds: number }): Promise<Report> => {
  const database = await freshDatabase()
  const line = await openLine(new URL(database.url))
  const service = await startService('cms', { CMS_DATABASE_URL: line.url(database.url) })
  const { token, writers } = await prepareWriters(service.url, WRITERS)
  const load = startLoad(service.url, token, writers)
  await sleep(300)
  line.freeze()
  const notReady = await untilNotReady(service.url)
  await sleep(seconds * 1000)
  line.heal()
  const recovery = await untilReady(service.url)
  await sleep(500)
  const outcomes = await load.stop()
  const broken = answersInTime(outcomes)
  for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  if (notReady > 5_000) broken.push(`/readyz took ${Math.round(notReady)} ms to notice`)
  await service.stop()
  line.close()
  await database.drop()
  return {
    figures: { ...summary(outcomes), noticed_ms: Math.round(notReady), recovery_ms: Math.round(recovery) },
    broken,
  }
}

/** Sign-ups while the mail service is killed: who was told "created" can sign in, and there is one owner. */
export const killedSignUps = async ({ kills }: { kills: number }): Promise<Report> => {
  const database = await freshDatabase()
  const service = await startService('mail', { MAIL_DATABASE_URL: database.url })
  const acknowledged: string[] = []
  let owners = 0
  let sent = 0
  const signal = new AbortController()
  const signUps = Array.from({ length: WRITERS }, async () => {
    while (!signal.signal.aborted) {
      sent += 1
      const email = `person${sent}@example.test`
      const outcome = await mailCall(`${service.url}/api/auth/signup`, email, sent)
      if (outcome.status !== 201) continue
      acknowledged.push(email)
      if (Reflect.get(Object(outcome.body), 'role') === 'owner') owners += 1
    }
  })
  // A busy machine may need longer for its first answer than the time between two kills.
  while (acknowledged.length === 0) await sleep(20)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(100 + Math.random() * 400)
    await service.kill()
    await service.restart()
  }
  signal.abort()
  await Promise.all(signUps)
  const broken: string[] = []
  for (const [at, email] of acknowledged.entries()) {
    const { status } = await mailCall(`${service.url}/api/auth/login`, email, 100_000 + at)
    if (status !== 200) broken.push(`${email} was created but cannot sign in (${status})`)
  }
  if (owners > 1) broken.push(`${owners} accounts were told that they own the instance`)
  await service.stop()
  await database.drop()
  return { figures: { kills, sent, acknowledged: acknowledged.length, owners }, broken }
}

/** Each from an address of its own, so that sign-in limits do not slow the scenario. */
const mailCall = (url: string, email: string, address: number): Promise<Outcome> =>
  call(url, {
    method: 'POST',
    body: { email, password: 'correct horse battery' },
    headers: { 'x-forwarded-for': `198.18.${(address >> 8) & 255}.${address & 255}` },
  })

/** SIGQUIT is PostgreSQL's immediate stop: no checkpoint, recovery from the log at the next start. */
const crash = (cluster: string): void => {
  const postmaster = readPidFile(cluster)
  if (!postmaster) throw new Error('PostgreSQL is not running')
  process.kill(postmaster.pid, 'SIGQUIT')
}

const startLoad = (url: string, token: string, writers: readonly Writer[]) => {
  const outcomes: Outcome[] = []
  const controller = new AbortController()
  const running = writers.map((writer) =>
    keepWriting(writer, { url, token, signal: controller.signal, onOutcome: (outcome) => outcomes.push(outcome) }),
  )
  return {
    async stop(): Promise<Outcome[]> {
      controller.abort()
      await Promise.all(running)
      return outcomes
    },
  }
}

/** Nothing acknowledged is missing, nothing is there that was never sent, and each write was applied once. */
const checkWriter = async (url: string, token: string, writer: Writer): Promise<string[]> => {
  const { acknowledged } = writer
  const stored = await readCounter(url, token, writer)
  const broken: string[] = []
  if (stored.count < acknowledged) broken.push(`acknowledged ${acknowledged}, found ${stored.count}`)
  if (stored.count > writer.sent) broken.push(`found ${stored.count}, sent only ${writer.sent}`)
  if (stored.version > writer.sent + 1) broken.push(`version ${stored.version} after ${writer.sent} writes`)
  return broken
}

/** A request that fails because the database is away says so, in the service's own words and in time. */
const answersInTime = (outcomes: readonly Outcome[]): string[] => {
  const late = outcomes.filter((outcome) => outcome.milliseconds > 10_000)
  const odd = outcomes.filter((outcome) => outcome.status !== 200 && !(outcome.status === 503 && outcome.code))
  return [
    ...late.map((outcome) => `an answer took ${Math.round(outcome.milliseconds)} ms`),
    ...odd.map((outcome) => `an answer was ${outcome.status} ${outcome.code ?? 'without a code'}`),
  ]
}

const summary = (outcomes: readonly Outcome[]): Record<string, number> => ({
  requests: outcomes.length,
  acknowledged: countOf(outcomes, 200),
  unavailable: countOf(outcomes, 503),
  cut: countOf(outcomes, 'cut'),
  slowest_ms: Math.round(outcomes.reduce((slowest, outcome) => Math.max(slowest, outcome.milliseconds), 0)),
})

const countOf = (outcomes: readonly Outcome[], status: Outcome['status']): number =>
  outcomes.filter((outcome) => outcome.status === status).length

const untilReady = (url: string): Promise<number> => until(url, (status) => status === 200, 30_000)
const untilNotReady = (url: string): Promise<number> => until(url, (status) => status === 503, 10_000)

const until = async (url: string, isReached: (status: Outcome['status']) => boolean, limitMs: number) => {
  const began = performance.now()
  while (!isReached((await call(`${url}/readyz`)).status)) {
    if (performance.now() - began > limitMs) throw new Error(`/readyz did not change within ${limitMs} ms`)
    await sleep(50)
  }
  return performance.now() - began
}

/** A TCP relay in front of PostgreSQL that can stop passing bytes while keeping every connection open. */
const openLine = async (target: URL) => {
  let isFrozen = false
  const sockets = new Set<Socket>()
  const relay = createServer((client) => {
    const server = dial(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => isFrozen || server.write(chunk))
    server.on('data', (chunk) => isFrozen || client.write(chunk))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const address = relay.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: (url: string) => Object.assign(new URL(url), { port: String(port) }).href,
    freeze: () => {
      isFrozen = true
    },
    heal: () => {
      isFrozen = false
    },
    close: () => {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
