import { fork } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { systemClock } from '@stoa/kit/clock.ts'
import { openGround } from '@stoa/mail/sending/queue/testing/ground.ts'
import { median } from '../harness.ts'

/** What Postfix with OpenDKIM is asked to be beaten by, on two slow cores. */
const ANCHOR = 220
const TARGET = 0.6
const ROUNDS = 5
const MESSAGES = 2_000
const DESTINATIONS = 20
/** Mail to several people of one destination: what a transaction for each of them costs. */
const GROUPS = 200
const GROUP_SIZE = 10
/** The mean size of a message that the service is measured with. */
const MEAN_BYTES = 29_000

/**
 * Messages that wait in the queue until all of them have been signed, handed to a sink and recorded; against what the
 * cores of this machine could sign with RSA-2048 if they did nothing else, measured between the rounds.
 */
export const run = async (): Promise<void> => {
  const sink = fork(new URL('./sink.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = await once(sink, 'message')
  const ground = await openGround()
  for (let at = 0; at < DESTINATIONS; at += 1)
    ground.route(`d${at}.test`, [{ host: `mx.d${at}.test`, address: '127.0.0.1' }])
  const queue = await ground.start(port, { clock: systemClock, tuning: { pollMs: 1_000, signingThreads: undefined } })
  const rates: number[] = []
  const ratios: number[] = []
  const costs: number[] = []
  const signings: number[] = []
  // Round 0 warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    await fill(ground)
    const signing = signingMs()
    const cpu = process.cpuUsage()
    const began = performance.now()
    await ground.query('update queue_recipient set next_at = now() where finished_at is null')
    queue.wake()
    await ground.until('all are delivered', () => isEmpty(ground))
    const seconds = (performance.now() - began) / 1_000
    const used = process.cpuUsage(cpu)
    if (round === 0) continue
    rates.push(MESSAGES / seconds)
    ratios.push(MESSAGES / seconds / ((availableParallelism() * 1_000) / signing))
    costs.push((used.user + used.system) / 1_000 / MESSAGES)
    signings.push(signing)
  }
  const shared = await groupCost(ground, queue, false)
  const own = await groupCost(ground, queue, true)
  sink.send('count')
  const [{ received }] = await once(sink, 'message')
  process.stdout.write(
    `outbound: ${median(rates).toFixed(0)} messages/s signed and delivered, ${median(costs).toFixed(2)} ms CPU each ` +
      `without PostgreSQL, of which ${median(signings).toFixed(2)} ms RSA-2048; ${median(ratios).toFixed(2)} of what ` +
      `${availableParallelism()} cores could sign (target >= ${TARGET} where a signature takes 5 ms, which is ${ANCHOR}/s; ` +
      `${ROUNDS} rounds of ${MESSAGES})\n` +
      `outbound: ${own.toFixed(2)} ms CPU per recipient with a return path of its own, ${shared.toFixed(2)} ms with a shared ` +
      `one, ratio ${(own / shared).toFixed(1)} (${GROUPS} messages to ${GROUP_SIZE} people of one destination each)\n`,
  )
  if (received !== (ROUNDS + 1) * MESSAGES + GROUPS + GROUPS * GROUP_SIZE)
    throw new Error(`the sink received ${received} messages`)
  await ground.close()
  sink.disconnect()
}

/** CPU per recipient of messages that go to several people of one destination. */
const groupCost = async (ground: Ground, queue: { wake(): void }, isApi: boolean): Promise<number> => {
  const later = new Date(Date.now() + 3_600_000)
  for (let at = 0; at < GROUPS; at += 1) {
    const to = Array.from({ length: GROUP_SIZE }, (_, nth) => `r${nth}@d${at % DESTINATIONS}.test`)
    await ground.send(to, { text: message(at), now: new Date(), notBefore: later, isApi })
  }
  const cpu = process.cpuUsage()
  await ground.query('update queue_recipient set next_at = now() where finished_at is null')
  queue.wake()
  await ground.until('all are delivered', () => isEmpty(ground))
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1_000 / (GROUPS * GROUP_SIZE)
}

type Ground = Awaited<ReturnType<typeof openGround>>

const isEmpty = async ({ query }: Ground): Promise<boolean> =>
  (await query('select 1 from queue_recipient where finished_at is null limit 1')).length === 0

/** Enough different messages that none is found in a cache, and each in the queue under its own id. */
const fill = async (ground: Ground): Promise<void> => {
  const later = new Date(Date.now() + 3_600_000)
  for (let from = 0; from < MESSAGES; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const at = from + index
        const text = message(at)
        return ground.send(`someone@d${at % DESTINATIONS}.test`, { text, now: new Date(), notBefore: later })
      }),
    )
}

const message = (at: number): string => {
  const attachment = Buffer.alloc(Math.floor(MEAN_BYTES * 0.5), at)
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')
  const text = 'Dear reader, this is what a message usually says.\r\n'.repeat(160)
  return (
    `From: Ann <ann@stoa.test>\r\nTo: someone@example.test\r\nSubject: Message ${at}\r\nDate: ${new Date().toUTCString()}\r\n` +
    `Message-ID: <${at}.${Date.now()}@stoa.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n` +
    `--m\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--m\r\nContent-Type: application/pdf; name=a.pdf\r\n` +
    `Content-Transfer-Encoding: base64\r\n\r\n${attachment}\r\n--m--\r\n`
  )
}

const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const SIGNATURES = 300

/** CPU of one signature on one core. */
const signingMs = (): number => {
  const data = Buffer.alloc(1_000, 1)
  const before = process.cpuUsage()
  for (let count = 0; count < SIGNATURES; count += 1) sign('sha256', data, key)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / SIGNATURES
}
