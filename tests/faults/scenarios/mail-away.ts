import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy, throughProxy } from '../../lib/tcp-proxy.ts'
import { within } from '../limits.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { type MailLoad, startMailLoad } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until, untilNotReady, untilReady } from '../readiness.ts'

const MAX_ANSWER_MS = within(10_000)
const MAX_NOTICE_MS = within(5_000)
const MAX_RECOVERY_MS = within(5_000)

/**
 * The line to the database is silent for a minute while mail comes in and somebody reads: senders get a temporary failure in
 * time, readers are answered or cut, and all goes on when the line is back. Stopped while it is silent again, the service ends.
 */
export const mailAway = async ({ seconds = 60, perSecond = 20 } = {}): Promise<Report> => {
  let line: TcpProxy | undefined
  const ground = await openMailGround({
    reachedBy: async (url) => {
      const { hostname, port } = new URL(url)
      line = await startTcpProxy({ host: hostname, port: Number(port) })
      return throughProxy(url, line)
    },
  })
  const { service, boxes, smtpPort } = ground
  const load = startMailLoad({ port: smtpPort, recipients: boxes.emails, perSecond })
  const reader = readOn(ground)
  await until('a first message', () => load.acknowledged.size > 0)
  line?.freeze()
  const noticed = await untilNotReady(service.url)
  await sleep(seconds * 1_000)
  line?.thaw()
  const before = load.acknowledged.size
  const ready = await untilReady(service.url)
  const flows = await until('mail comes in again', () => load.acknowledged.size > before)
  await load.finish()
  const read = await reader.finish()
  const broken = [...(await boxes.check(load)), ...oddAnswers(load, read)]
  if (noticed > MAX_NOTICE_MS) broken.push(`/readyz took ${Math.round(noticed)} ms to notice`)
  if (ready + flows > MAX_RECOVERY_MS) broken.push(`it took ${Math.round(ready + flows)} ms to recover`)
  line?.freeze()
  broken.push(...(await ground.close()))
  await line?.close()
  return {
    figures: {
      seconds,
      acknowledged: load.acknowledged.size,
      ...Object.fromEntries([...load.refusals].map(([code, times]) => [`answered_${code}`, times])),
      slowest_ms: Math.round(load.slowestMs()),
      reads: read.answered,
      slowest_read_ms: Math.round(read.slowestMs),
      noticed_ms: Math.round(noticed),
      recovery_ms: Math.round(ready + flows),
    },
    broken,
  }
}

type Reads = { answered: number; slowestMs: number }

const oddAnswers = (load: MailLoad, { slowestMs }: Reads): string[] => {
  const odd = [...load.refusals.keys()].filter((code) => code !== '451' && code !== '421' && code !== 'cut')
  const slow = [load.slowestMs(), slowestMs].filter((ms) => ms > MAX_ANSWER_MS)
  return [
    ...odd.map((code) => `a sender was answered ${code}`),
    ...slow.map((ms) => `somebody waited ${Math.round(ms)} ms`),
  ]
}

/** Reads a folder again and again, and signs in again when the connection is cut. */
const readOn = (ground: MailGround) => {
  let [isOver, answered, slowestMs] = [false, 0, 0]
  const once = async (): Promise<void> => {
    const client = await ground.signIn()
    try {
      while (!isOver) {
        const began = performance.now()
        // What cannot be read now is refused with NO, which is an answer as well.
        const answer = await client.say('STATUS INBOX (MESSAGES)').then(
          () => true,
          (error: Error) => / NO /.test(error.message),
        )
        slowestMs = Math.max(slowestMs, performance.now() - began)
        if (!answer) return
        answered += 1
        await sleep(100)
      }
    } finally {
      client.close()
    }
  }
  const done = (async () => {
    while (!isOver) await once().catch(() => sleep(500))
  })()
  return {
    async finish(): Promise<Reads> {
      isOver = true
      await done
      return { answered, slowestMs }
    },
  }
}
