import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { openClient } from '../../bench/imap/client.ts'
import { within } from '../limits.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { sendOne } from '../mail-load.ts'
import { call, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { residentMb } from '../service-process.ts'

/** What a good client may wait, for 95 of 100. */
const MAX_P95_MS = within(300)
/** Somebody who has not signed in is let go after a minute, whatever they do; one who does not read, after another. */
const MAX_CLOSED_MS = within(90_000)
const MAX_GROWTH_MB = 400
const DRIP_MS = 1_000
const LARGE_BYTES = 1_000_000
const LARGE_MESSAGES = 10

type Slow = { port: (ground: MailGround) => number; first?: string; drip?: string }

const HEADER = 'X-Slow: '
/** Clients that hold a connection and give nothing for it. */
const KINDS: Readonly<Record<string, Slow>> = {
  'smtp-silent': { port: ({ smtpPort }) => smtpPort },
  'smtp-command': { port: ({ smtpPort }) => smtpPort, drip: 'E' },
  'smtp-message': {
    port: ({ smtpPort }) => smtpPort,
    first: 'EHLO slow.test\r\nMAIL FROM:<a@slow.test>\r\nRCPT TO:<box0@hosted.test>\r\nDATA\r\n',
    drip: 'x',
  },
  'http-headers': { port: portOf, first: `GET / HTTP/1.1\r\nHost: x\r\n${HEADER}`, drip: 'x' },
  'http-body': {
    port: portOf,
    first:
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
    drip: ' ',
  },
}

/**
 * Hundreds of slow clients at every port: some say nothing, some say a byte a second, some ask for much and read none of it.
 * Good clients notice nothing, memory stays, and the slow ones are let go.
 */
export const mailSlow = async ({ perKind = 300, readers = 50, rounds = 80 } = {}): Promise<Report> => {
  const ground = await openMailGround({ env: { MAX_MESSAGE_BYTES: '5000000' } })
  await fillBox(ground)
  await measureGood(ground, rounds / 8)
  const calm = await measureGood(ground, rounds / 2)
  const before = residentMb(ground.service.pid)
  const slow = [...(await openSlow(ground, perKind)), ...(await openReaders(ground, readers))]
  const began = performance.now()
  let lastClosed = began
  const noteClosed = () => {
    lastClosed = performance.now()
  }
  for (const socket of slow) socket.on('close', noteClosed)
  const busy = await measureGood(ground, rounds)
  const peak = residentMb(ground.service.pid)
  const left = () => slow.filter(({ destroyed }) => !destroyed).length
  await until('all slow ones are let go', () => left() === 0, { limitMs: MAX_CLOSED_MS }).catch(() => 0)
  const closedMs = lastClosed - began
  const broken = busy.failed === 0 ? [] : [`${busy.failed} good clients were not served`]
  // On a busy machine good clients wait longer anyway.
  if (busy.p95 > Math.max(MAX_P95_MS, 2 * calm.p95)) broken.push(`good clients waited ${Math.round(busy.p95)} ms`)
  if (closedMs > MAX_CLOSED_MS) broken.push(`the last slow client was let go after ${Math.round(closedMs)} ms`)
  if (left() > 0) broken.push(`${left()} slow clients are still there`)
  if (peak - before > MAX_GROWTH_MB) broken.push(`memory grew by ${Math.round(peak - before)} MB`)
  for (const socket of slow) socket.destroy()
  broken.push(...(await ground.close()))
  return {
    figures: {
      slow: slow.length,
      calm_p95_ms: Math.round(calm.p95),
      p95_ms: Math.round(busy.p95),
      failed: busy.failed,
      grew_mb: Math.round(peak - before),
      closed_ms: Math.round(closedMs),
    },
    broken,
  }
}

function portOf({ service }: MailGround): number {
  return Number(new URL(service.url).port)
}

const fillBox = async ({ smtpPort, boxes }: MailGround): Promise<void> => {
  for (let count = 0; count < LARGE_MESSAGES; count += 1) {
    const code = await sendOne(smtpPort, `large-${count}@outside.test`, boxes.emails[0] ?? '', LARGE_BYTES)
    if (code !== '250') throw new Error(`a large message was answered ${code}`)
  }
}

const openSlow = async (ground: MailGround, perKind: number): Promise<Socket[]> => {
  const all: Socket[] = []
  for (const { port, first, drip } of Object.values(KINDS))
    for (let count = 0; count < perKind; count += 1) {
      const socket = connect({ port: port(ground), host: '127.0.0.1', localAddress: `127.0.1.${1 + (count % 200)}` })
      socket.on('error', () => socket.destroy()).on('end', () => socket.destroy())
      await once(socket, 'connect')
      socket.resume()
      if (first) socket.write(first)
      const timer = drip && setInterval(() => socket.write(drip), DRIP_MS)
      socket.on('close', () => clearInterval(timer))
      all.push(socket)
    }
  return all
}

/** They ask for the whole folder, several times, and read none of it. */
const openReaders = (ground: MailGround, count: number): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const client = await openClient({ port: ground.imapPort, isTls: true })
      await client.say(`LOGIN ${ground.boxes.emails[at % 3]} "${MAILBOX_PASSWORD}"`).catch(() => client.close())
      if (client.socket.destroyed) return client.socket
      await client.say('SELECT INBOX')
      client.socket.pause()
      for (let nth = 0; nth < 5; nth += 1) client.socket.write(`f${nth} FETCH 1:* BODY.PEEK[]\r\n`)
      // One that does not read does not see the end, but a write after it fails.
      const timer = setInterval(() => client.socket.write('\r\n'), DRIP_MS)
      client.socket.on('error', () => client.socket.destroy()).on('close', () => clearInterval(timer))
      return client.socket
    }),
  )

/** What good clients wait for: a message that they send, a folder that they open, a page. */
const measureGood = async (ground: MailGround, count: number): Promise<{ p95: number; failed: number }> => {
  const times: number[] = []
  let failed = 0
  const reader = await ground.signIn(1)
  const timed = async (work: () => Promise<boolean>): Promise<void> => {
    const began = performance.now()
    if (!(await work().catch(() => false))) failed += 1
    times.push(performance.now() - began)
  }
  for (let at = 0; at < count; at += 1) {
    const id = `good-${Math.random()}@outside.test`
    await timed(async () => (await sendOne(ground.smtpPort, id, ground.boxes.emails[1] ?? '')) === '250')
    await timed(async () => (await reader.say('STATUS INBOX (MESSAGES)')) === '')
    await timed(async () => (await call(`${ground.service.url}/readyz`)).status === 200)
    await sleep(20)
  }
  reader.close()
  return { p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0, failed }
}
