import { setTimeout as sleep } from 'node:timers/promises'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { openClient } from '../../bench/imap/client.ts'
import { isRunning, untilWorkersAnswer, workersOf } from '../../process/workers.ts'
import { within } from '../limits.ts'
import { openMailGround, preloaded } from '../mail-ground.ts'
import { startMailLoad } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'

const READERS = 20
/** Little enough that the memory is used up soon. */
const HEAP_MB = 256
const MAX_REPLACED_MS = within(60_000)

/**
 * One of two workers runs out of memory while mail comes in and people are connected. The engine ends it; the other goes on,
 * a new one takes its place, and nothing that was acknowledged is lost.
 */
export const mailMemory = async ({ times = 5, perSecond = 20 } = {}): Promise<Report> => {
  const ground = await openMailGround({
    env: { MAIL_WORKERS: '2', ...preloaded('memory', `--max-old-space-size=${HEAP_MB}`) },
  })
  const { service, boxes, smtpPort, imapPort } = ground
  const pages = `${service.url}/api/auth/signups`
  await untilWorkersAnswer(pages, 2)
  const load = startMailLoad({ port: smtpPort, recipients: boxes.emails, perSecond })
  const broken: string[] = []
  const [died, replaced, stayed]: [number[], number[], number[]] = [[], [], []]
  for (let time = 0; time < times; time += 1) {
    const readers = await Promise.all(
      Array.from({ length: READERS }, async (_, at) => {
        const client = await openClient({ port: imapPort, isTls: true })
        await client.say(`LOGIN ${boxes.emails[at % boxes.emails.length]} "${MAILBOX_PASSWORD}"`)
        return client
      }),
    )
    const known = load.acknowledged.size
    await until('mail comes in', () => load.acknowledged.size > known + 5)
    const [victim = 0] = workersOf(service.pid)
    const began = performance.now()
    process.kill(victim, 'SIGWINCH')
    await until('the worker has no memory left', () => !isRunning(victim), { limitMs: 120_000 })
    died.push(performance.now() - began)
    const alive = await Promise.all(
      readers.map((reader) =>
        reader.say('NOOP').then(
          () => true,
          () => false,
        ),
      ),
    )
    stayed.push(alive.filter(Boolean).length)
    const ended = performance.now()
    await untilWorkersAnswer(pages, 2)
    replaced.push(performance.now() - ended)
    for (const reader of readers) reader.close()
    await sleep(100)
  }
  await load.finish()
  broken.push(...(await boxes.check(load)))
  const slowest = Math.max(...replaced)
  if (slowest > MAX_REPLACED_MS) broken.push(`a worker was replaced after ${Math.round(slowest)} ms`)
  if (stayed.every((count) => count === 0)) broken.push('nobody kept a connection')
  broken.push(...(await ground.close()))
  return {
    figures: {
      times,
      acknowledged: load.acknowledged.size,
      ...Object.fromEntries([...load.refusals].map(([code, count]) => [`answered_${code}`, count])),
      slowest_ms: Math.round(load.slowestMs()),
      dying_ms: Math.round(Math.max(...died)),
      replaced_ms: Math.round(slowest),
      readers: READERS,
      stayed: stayed.join('/'),
    },
    broken,
  }
}
