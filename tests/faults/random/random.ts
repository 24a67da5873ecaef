import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiDocument } from '@stoa/kit/http/openapi.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { must, type Report } from '../outcomes.ts'
import { until, untilReady } from '../readiness.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { openLook } from '../table.ts'
import { createDice } from './dice.ts'
import { createFrames, type Frames } from './frames.ts'
import { garbageText } from './garbage.ts'
import { checkInvariants } from './invariants.ts'
import { complaintAbout, describe } from './judge.ts'
import { createPeople, type People } from './people.ts'
import { createRequestMaker, type RequestMaker } from './requests.ts'
import { createSender } from './send.ts'
import { createWorld, type World } from './world.ts'

/** Requests under way at the same time. */
const PARALLEL = 12
const FRAME_SHARE = 0.15
const RAW_SHARE = 0.003
/** So often, what was taken away is made good: content, and credentials. */
const RESTORE_EVERY = 500
const RENEW_EVERY = 50
/** A run with as many failures is over; more would say the same. */
const MAX_BROKEN = 20

export type RandomOptions = { requests?: number; seed?: number }

type Run = {
  service: ServiceProcess
  world: World
  people: People
  make: RequestMaker
  frames: Frames
  statuses: Map<string, number>
  /** Routes that were used with success. */
  reached: Set<string>
  broken: string[]
  seed: number
}

/** Random requests and frames, seeded: the service answers all of them in its own words, and its data stays sound. */
export const random = async ({ requests = 100_000, seed = Date.now() % 1e6 }: RandomOptions = {}): Promise<Report> => {
  const mediaFolder = await mkdtemp(join(tmpdir(), 'stoa-faults-media-'))
  const database = await serviceDatabase('cms')
  const service = await startService('cms', {
    CMS_DATABASE_URL: database.url,
    STORAGE_LOCAL_DIR: mediaFolder,
    LOG_LEVEL: 'error',
  })
  const look = openLook(database.url)
  const world = await createWorld(service.url)
  const people = await createPeople(look)
  const document = documentOf(await must(`${service.url}/openapi.json`))
  const routes = routesOf(document)
  const run: Run = {
    service,
    world,
    people,
    make: createRequestMaker(document, world),
    frames: createFrames(service.url, world.pools),
    statuses: new Map(),
    reached: new Set(),
    broken: [],
    seed,
  }
  const began = performance.now()
  await sendAll(run, requests)
  const seconds = (performance.now() - began) / 1_000
  await run.frames.close()
  const { broken, frames } = run
  if (service.hasExited()) broken.push('the process ended')
  else await untilReady(service.url)
  const memory = service.hasExited() ? 0 : residentMegabytes(service.pid)
  await until('everybody has left', async () => (await look.count('select count(*) from presence')) === 0, {
    limitMs: 10_000,
  }).catch(() => 0)
  broken.push(...frames.broken, ...errorsIn(service.log), ...(await checkInvariants(look, mediaFolder)))
  await service.stop()
  await look.close()
  await database.drop()
  rmSync(mediaFolder, { recursive: true, force: true })
  return {
    figures: {
      requests,
      frames: frames.sent,
      seed,
      per_second: Math.round(requests / seconds),
      routes: routes.length,
      routes_reached: routes.filter((route) => run.reached.has(route)).length,
      statuses: histogram(run.statuses),
      closings: histogram(frames.closings),
      memory_mb: memory,
    },
    broken,
  }
}

const sendAll = async (run: Run, count: number): Promise<void> => {
  const sender = createSender(run.service.url)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      if (run.broken.length >= MAX_BROKEN || run.service.hasExited()) return
      if (at % RENEW_EVERY === RENEW_EVERY - 1) await run.people.renew()
      if (at % RESTORE_EVERY === RESTORE_EVERY - 1) await run.world.restore()
      await sendOne(run, sender, at)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  sender.close()
}

const sendOne = async (run: Run, sender: ReturnType<typeof createSender>, at: number): Promise<void> => {
  const dice = createDice(run.seed * 1_000_003 + at)
  const { credentials } = run.people
  if (dice.chance(FRAME_SHARE)) return run.frames.send(dice, credentials)
  if (dice.chance(RAW_SHARE)) {
    const bytes = Buffer.from(`${garbageText(dice)} /${garbageText(dice)} HTTP/1.1\r\n${garbageText(dice)}\r\n\r\n`)
    return count(run.statuses, `raw ${(await sender.sendRaw(bytes)).slice(9, 12)}`)
  }
  const request = run.make(dice, credentials)
  const answer = await sender.send(request)
  count(run.statuses, String(answer.status))
  const complaint = complaintAbout(request, answer)
  if (complaint !== null) run.broken.push(`${complaint}\n    seed ${run.seed}, number ${at}: ${describe(request)}`)
  if (typeof answer.status !== 'number' || answer.status >= 300) return
  run.reached.add(request.route)
  run.world.learn(request.group, request.path, answer.text)
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

const histogram = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts]
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([name, times]) => `${name}:${times}`)
    .join(',')

/** Whatever the service itself found worth an error. */
const errorsIn = (log: readonly string[]): string[] =>
  [...new Set(log.map((line) => `logged: ${line.slice(0, 600)}`))].slice(0, MAX_BROKEN)

const residentMegabytes = (pid: number): number => {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1_024)
}

const routesOf = ({ paths }: ApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )

/** The service's own description; what it is made of was checked where it is made. */
const documentOf = (value: unknown): ApiDocument => {
  if (!isDocument(value)) throw new Error('/openapi.json is no description of an API')
  return value
}

const isDocument = (value: unknown): value is ApiDocument =>
  typeof value === 'object' && value !== null && 'paths' in value && 'components' in value
