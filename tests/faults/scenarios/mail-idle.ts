import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { WebSocket } from 'ws'
import { openClient } from '../../bench/imap/client.ts'
import { untilWorkersAnswer, workersOf } from '../../process/workers.ts'
import { within } from '../limits.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { sendOne } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { residentMb } from '../service-process.ts'

/** As many as a mailbox may have open. */
const PER_BOX = 20
const POOL_SIZE = 5
const WORKERS = 2
const MAX_RSS_MB = 1_024
const MAX_NOTICE_MS = within(2_000)
const OPENED_AT_ONCE = 4
/** The first ones make a process compile and grow; they are not what one more costs. */
const WARM_UP = 200

/** Somebody who only waits. */
type Waiting = { box: number; notices: number; close(): void }

/**
 * Ten thousand people wait in IDLE at two workers, then as many for events of JMAP and at its WebSocket, while mail comes in.
 * What each costs, how soon they are notified, and how many connections the database has.
 */
export const mailIdle = async ({ connections = 10_000, perSecond = 20, seconds = 30 } = {}): Promise<Report> => {
  const boxes = Math.ceil(connections / PER_BOX)
  const ground = await openMailGround({
    boxes,
    env: { MAIL_WORKERS: String(WORKERS), DB_POOL_SIZE: String(POOL_SIZE), RATE_LIMIT_PER_SECOND: '100000' },
  })
  const broken: string[] = []
  const figures: Record<string, number | string> = { connections, workers: WORKERS }
  for (const [kind, open] of Object.entries({ imap: idleImap, events: waitForEvents, sockets: waitAtSocket })) {
    await untilWorkersAnswer(`${ground.service.url}/api/auth/signups`, WORKERS)
    for (const each of await openAll(ground, WARM_UP, open)) each.close()
    const before = memoryOf(ground)
    const waiting = await openAll(ground, connections, open)
    const after = memoryOf(ground)
    const delivered = await deliver(ground, waiting, { perSecond, seconds })
    const notices = delivered.filter((each) => typeof each === 'number')
    const clients = await connectionsOf(ground)
    const slowest = Math.max(...notices)
    figures[`${kind}_kb_each`] = (((after.total - before.total) / connections) * 1_024).toFixed(1)
    figures[`${kind}_before_mb`] = before.each.map(Math.round).join('+')
    figures[`${kind}_mb`] = after.each.map(Math.round).join('+')
    figures[`${kind}_notices`] = notices.length
    figures[`${kind}_notice_p50_ms`] = Math.round(notices.toSorted((a, b) => a - b)[notices.length >> 1] ?? 0)
    figures[`${kind}_notice_max_ms`] = Math.round(slowest)
    figures[`${kind}_database_connections`] = clients
    broken.push(...delivered.filter((each) => typeof each === 'string').map((problem) => `${kind}: ${problem}`))
    if (after.total > MAX_RSS_MB) broken.push(`${kind}: the workers have ${Math.round(after.total)} MB`)
    if (slowest > MAX_NOTICE_MS) broken.push(`${kind}: somebody was notified after ${Math.round(slowest)} ms`)
    if (clients > WORKERS * (POOL_SIZE + 1)) broken.push(`${kind}: ${clients} database connections`)
    for (const each of waiting) each.close()
    // What one kind took stays with a process for a while.
    await ground.service.stop()
    await ground.service.restart()
  }
  broken.push(...(await ground.close()))
  return { figures, broken }
}

type Open = (ground: MailGround, box: number) => Promise<Waiting>

const openAll = async (ground: MailGround, count: number, open: Open): Promise<Waiting[]> => {
  const waiting: Waiting[] = []
  let next = 0
  const openSome = async (): Promise<void> => {
    while (next < count) {
      next += 1
      waiting.push(await open(ground, next % ground.boxes.ids.length))
    }
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openSome))
  return waiting
}

/** A loopback address has some 28,000 ports to connect from. */
const localAddress = (box: number): string => `127.0.0.${2 + (box % 100)}`

const idleImap: Open = async ({ imapPort, boxes }, box) => {
  const client = await openClient({ port: imapPort, isTls: true, localAddress: localAddress(box) })
  await client.say(`LOGIN ${boxes.emails[box]} "${MAILBOX_PASSWORD}"`)
  await client.say('SELECT INBOX')
  client.socket.write('i IDLE\r\n')
  await client.nextAnswer()
  const waiting = { box, notices: 0, close: client.close }
  client.socket.on('data', (text: string) => {
    if (text.includes(' EXISTS')) waiting.notices += 1
  })
  return waiting
}

const waitForEvents: Open = async ({ service, boxes }, box) => {
  const request = http.get(`${service.url}/jmap/eventsource?types=Email&closeafter=no&ping=0`, {
    agent: false,
    localAddress: localAddress(box),
    auth: `${boxes.emails[box]}:${MAILBOX_PASSWORD}`,
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`events were answered ${response.statusCode}`)
  const waiting = { box, notices: 0, close: () => void request.destroy() }
  request.on('error', () => undefined)
  response.on('error', () => undefined).setEncoding('utf8')
  response.on('data', (text: string) => {
    if (text.includes('event: state')) waiting.notices += 1
  })
  return waiting
}

const waitAtSocket: Open = async ({ service, boxes }, box) => {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jmap/ws`, 'jmap', {
    localAddress: localAddress(box),
    auth: `${boxes.emails[box]}:${MAILBOX_PASSWORD}`,
    perMessageDeflate: false,
  })
  const waiting = { box, notices: 0, close: () => socket.terminate() }
  await once(socket, 'open')
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    if (String(data).includes('StateChange')) waiting.notices += 1
  })
  // Who was told nothing yet hears of the folders at once, and so the client knows that it is watching.
  const pushState = `${boxes.ids[box]}:0`
  socket.send(JSON.stringify({ '@type': 'WebSocketPushEnable', dataTypes: ['Mailbox', 'Email'], pushState }))
  await once(socket, 'message')
  return waiting
}

/** One message after the other, each to another mailbox: how long after its 250 the last waiting client is notified, or why not. */
const deliver = async (
  { smtpPort, boxes }: MailGround,
  waiting: readonly Waiting[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<(number | string)[]> => {
  const byBox = Map.groupBy(waiting, ({ box }) => box)
  const notices: Promise<number | string>[] = []
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const box = count % boxes.ids.length
    const listeners = byBox.get(box) ?? []
    notices.push(
      (async () => {
        const before = listeners.map(({ notices }) => notices)
        const code = await sendOne(smtpPort, `idle-${process.pid}-${count}@outside.test`, boxes.emails[box] ?? '')
        if (code !== '250') return `a message was answered ${code}`
        const isNotified = () => listeners.every(({ notices }, at) => notices > (before[at] ?? 0))
        return until('all who wait are notified of a message', isNotified, { everyMs: 5 }).catch(String)
      })(),
    )
    await sleep(1_000 / perSecond)
  }
  return Promise.all(notices)
}

/** Megabytes that the workers have, each and together. */
const memoryOf = ({ service }: MailGround): { each: number[]; total: number } => {
  const each = workersOf(service.pid).map(residentMb)
  return { each, total: each.reduce((sum, one) => sum + one, 0) }
}

const connectionsOf = async ({ boxes }: MailGround): Promise<number> => {
  const { rows } = await boxes.database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name like 'stoa-mail%'`,
  )
  return rows[0]?.count ?? 0
}
