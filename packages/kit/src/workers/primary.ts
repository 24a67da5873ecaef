import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { z } from 'zod'
import { type MetricsListen, serveFigures } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import type { ReadyLines, RunningService } from '../process.ts'
import { type Channel, createChannel } from './channel.ts'
import { createSharedCounts } from './counts.ts'
import { createFollowers } from './following.ts'
import { COUNT, NUMBER } from './link.ts'

export type WorkersPlan = MetricsListen & {
  count: number
  log: Log
  /** How long each worker keeps serving after it was asked to stop. */
  drainSeconds: number
}

/** A worker process. `ready` fails when it ends before; `ended` never fails. */
type Member = {
  readonly worker: Worker
  readonly channel: Channel
  readonly ready: Promise<ReadyLines>
  readonly ended: Promise<string>
  readonly startedAt: number
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** A worker that ran this long is replaced at once. */
const STEADY_MS = 60_000

const readyMessage = z.object({ type: z.literal('ready'), lines: z.array(z.tuple([z.string(), z.string()])) })

/**
 * Runs `count` processes of this program, which share its ports, and nothing of the service itself. The first one starts
 * alone, so that the database is migrated and the first account made once. One that ends is replaced; SIGUSR2 replaces
 * all of them, one after the other, without a pause in between.
 */
export const startWorkers = async (plan: WorkersPlan): Promise<RunningService> => {
  const { count, log } = plan
  // Workers accept by themselves: a connection that we handed to one which dies in this moment would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const counts = createSharedCounts(count)
  const serving = new Map<number, Member>()
  const stopping = new AbortController()
  /** Indexed by worker number. */
  const current: Member[] = []
  const running = new Set<Member>()
  const followers = createFollowers(async (id, changed) => {
    const member = [...running].find(({ worker }) => worker.id === id)
    await member?.channel.ask('followed', changed)
  })

  const launch = (number: number): Member => {
    const worker = cluster.fork({ [NUMBER]: String(number), [COUNT]: String(count) })
    const channel = createChannel((message) => {
      // A worker that has just ended needs no answer.
      if (worker.isConnected()) worker.send(message, () => undefined)
    })
    answerWorker(worker.id, channel)
    const ended = once(worker, 'exit').then(([code, by]) => {
      running.delete(member)
      serving.delete(worker.id)
      counts.forget(worker.id)
      void followers.forget(worker.id)
      channel.close()
      return String(by ?? `code ${code}`)
    })
    // From its first port on, before it is ready: a worker that answers must have received what was committed.
    worker.once('listening', () => serving.set(worker.id, member))
    const ready = new Promise<ReadyLines>((done, failed) => {
      worker.on('message', (message) => {
        if (channel.receive(message)) return
        const parsed = readyMessage.safeParse(message)
        if (!parsed.success) return
        serving.set(worker.id, member)
        done(parsed.data.lines)
      })
      ended.then((how) => failed(new Error(`worker ${number} didn't start (${how})`)))
    })
    ready.catch(() => undefined)
    const member = { worker, channel, ready, ended, startedAt: performance.now() }
    running.add(member)
    return member
  }

  const answerWorker = (id: number, channel: Channel): void => {
    channel.answer('take', counts.take)
    channel.answer('peek', counts.peek)
    channel.answer('hold', (input) => counts.hold(id, input))
    channel.answer('release', (input) => counts.release(id, input))
    channel.answer('follow', (input) => followers.follow(id, input))
    channel.answer('followed', () => followers.join(id))
    channel.answer('settle', async () => {
      const others = [...serving.values()].filter(({ worker }) => worker.id !== id)
      await Promise.all(others.map((other) => other.channel.ask('settle', null)))
      return null
    })
  }

  /** Replaces a worker that ends by itself; the sooner it ends again, the later. */
  const keep = async (number: number): Promise<void> => {
    let pause = 0
    while (!stopping.signal.aborted) {
      const member = current[number] ?? launch(number)
      current[number] = member
      const how = await member.ended
      if (stopping.signal.aborted) return
      // Another one has taken its place already.
      if (current[number] !== member) continue
      if (performance.now() - member.startedAt > STEADY_MS) pause = 0
      log.error({ worker: number, how, restartsInMs: pause }, 'a worker ended; starting another one')
      if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      pause = Math.min(pause === 0 ? FIRST_PAUSE_MS : pause * 2, LONGEST_PAUSE_MS)
      if (current[number] === member) delete current[number]
    }
  }

  const replaceAll = async (): Promise<void> => {
    log.info('replacing the workers one after the other')
    for (let number = 1; number <= count && !stopping.signal.aborted; number += 1) {
      const next = launch(number)
      try {
        await next.ready
      } catch (error) {
        return log.error({ err: error }, 'a new worker did not start; the current ones keep running')
      }
      const old = current[number]
      current[number] = next
      old?.worker.send(RETIRE, () => undefined)
      await old?.ended
    }
    log.info('all workers were replaced')
  }

  // A worker that hangs would be left behind.
  process.once('exit', () => {
    for (const { worker } of running) worker.process.kill('SIGKILL')
  })
  const first = launch(1)
  current[1] = first
  // A worker that fails to start has logged the reason, unless it was told to stop together with the primary.
  const lines = await first.ready.catch(async () => process.exit((await first.ended) === 'code 0' ? 0 : 1))
  const keeping = Array.from({ length: count }, (_, index) => keep(index + 1))
  let replacing: Promise<void> = Promise.resolve()
  process.on('SIGUSR2', () => {
    replacing = replacing.then(replaceAll)
  })
  const endAll = (): void => {
    stopping.abort()
    for (const { worker } of running) worker.process.kill('SIGTERM')
  }
  const { metricsPort: port, metricsHost: host } = plan
  const figures = port === null ? undefined : await serveFigures(together(serving), { port, host })

  return {
    lines,
    async drain() {
      endAll()
      await Promise.race([Promise.all(keeping), sleep(plan.drainSeconds * 1_000)])
    },
    async stop() {
      // A stop during the start comes without `drain`.
      endAll()
      await Promise.all([...running].map(({ ended }) => ended))
      await figures?.close()
    },
  }
}

/** Sent to a worker that another one has replaced: it stops at once, because the service does not. */
export const RETIRE = { type: 'retire' } as const

/** The figures of all workers as one process would show them. */
const together = (serving: ReadonlyMap<number, Member>) => ({
  async figures() {
    const answers = await Promise.all([...serving.values()].map(({ channel }) => channel.ask('figures', null)))
    const registry = AggregatorRegistry.aggregate(answers.filter((answer) => answer !== undefined))
    return { type: registry.contentType, text: await registry.metrics() }
  },
  /** Reports the healthiest worker: one that is starting or stopping does not count. */
  async health(path: string) {
    const answers = await Promise.all([...serving.values()].map(({ channel }) => channel.ask('health', { path })))
    const [best] = answers.filter((answer) => answer !== undefined).sort((a, b) => a.status - b.status)
    return best ?? { status: 503, body: '{"status":"unavailable"}' }
  },
})
