import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { arrivals, openGround, type QueueGround, sampleMessage } from '@stoa/mail/sending/queue/testing/ground.ts'
import { type Answer, polite, type RawPeer, startRawPeer } from '@stoa/mail/sending/queue/testing/raw-peer.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'

const DOMAINS = ['a.test', 'b.test', 'c.test', 'd.test']
const PER_KILL = 8
/** Messages of one destination that a process has under way, and so may have left without being recorded. */
const PER_DESTINATION = 3
const LEASE_MS = 2_000
const MAX_DELAY_MS = 200
const SETTLE_MS = 60_000

type Ground = { ground: QueueGround; sink: RawPeer; delays: Delays; sent: number }
/** How long the peer thinks about a recipient and about a message that it has taken. */
type Delays = { rcpt: () => number; end: () => number }

/** The relay is killed while it hands mail over, and stopped past its lease: nothing is lost, and little comes twice. */
export const mailRelay = async ({ kills = 200, freezes = 5 } = {}): Promise<Report> => {
  const ground = await openGround()
  const delays: Delays = { rcpt: () => 0, end: () => 0 }
  const sink = await startRawPeer(slowly(delays))
  for (const domain of DOMAINS) ground.route(domain, [{ host: `in.${domain}`, address: '127.0.0.1' }])
  const all: Ground = { ground, sink, delays, sent: 0 }
  try {
    const { last, ...killed } = await killedRelay(all, kills)
    const frozen = await frozenRelay(all, last, freezes)
    return { figures: { ...killed.figures, ...frozen.figures }, broken: [...killed.broken, ...frozen.broken] }
  } finally {
    await sink.close()
    await ground.close()
  }
}

const killedRelay = async (all: Ground, kills: number): Promise<Report & { last: ChildProcess }> => {
  all.delays.end = () => Math.random() * MAX_DELAY_MS
  for (let kill = 0; kill < kills; kill += 1) {
    const relay = await startRelay(all)
    await send(all, PER_KILL)
    await sleep(Math.random() * 2 * MAX_DELAY_MS)
    relay.kill('SIGKILL')
    await once(relay, 'exit')
  }
  const last = await startRelay(all)
  await finished(all)
  last.kill('SIGSTOP')
  const broken = await check(all)
  const twice = duplicates(all.sink)
  const allowed = kills * PER_DESTINATION * DOMAINS.length
  if (twice > allowed) broken.push(`${twice} messages came twice, with ${allowed} under way in ${kills} kills`)
  return { last, figures: { kills, messages: all.sent, duplicates: twice }, broken }
}

/** What stands still before the end of a message must not send it when it goes on: somebody else has. */
const frozenRelay = async (all: Ground, other: ChildProcess, freezes: number): Promise<Report> => {
  const before = duplicates(all.sink)
  all.delays.end = () => 0
  let isChanged = false
  for (let freeze = 0; freeze < freezes; freeze += 1) {
    let isReached = false
    all.delays.rcpt = () => {
      const delay = isReached ? 0 : 500
      isReached = true
      return delay
    }
    const late = await startRelay(all)
    await send(all, PER_KILL)
    await until('a message is under way', () => isReached, { everyMs: 2 })
    late.kill('SIGSTOP')
    other.kill('SIGCONT')
    await finished(all)
    const state = await stateOf(all)
    late.kill('SIGCONT')
    await sleep(700)
    isChanged ||= (await stateOf(all)) !== state
    late.kill('SIGKILL')
    other.kill('SIGSTOP')
  }
  other.kill('SIGKILL')
  const broken = await check(all)
  if (isChanged) broken.push('a late result changed a recipient')
  const twice = duplicates(all.sink) - before
  // What had left when its process was stopped cannot be known to anybody else.
  const allowed = freezes * PER_DESTINATION * DOMAINS.length
  if (twice > allowed) broken.push(`${twice} messages came twice in ${freezes} freezes`)
  return { figures: { freezes, frozen_duplicates: twice }, broken }
}

const slowly =
  (delays: Delays): Answer =>
  (line, peer) => {
    const reply = polite()(line, peer)
    const delay = line === '.' ? delays.end() : line.startsWith('RCPT') ? delays.rcpt() : 0
    if (delay === 0 || reply === undefined) return reply
    setTimeout(() => peer.socket.destroyed || peer.socket.write(reply), delay)
    return undefined
  }

const startRelay = async ({ ground, sink }: Ground): Promise<ChildProcess> => {
  const tuning = { leaseMs: LEASE_MS, perDestination: PER_DESTINATION }
  const file = new URL('../../../services/mail/src/sending/queue/testing/queue-process.ts', import.meta.url)
  const args = [ground.url, ground.folder, ground.dns.address, String(sink.port), JSON.stringify(tuning)]
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error('the relay did not start')
  return child
}

const send = async (all: Ground, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    all.sent += 1
    const to = `someone@${DOMAINS[all.sent % DOMAINS.length]}`
    await all.ground.send(to, { text: sampleMessage(), now: new Date() })
  }
}

const UNFINISHED = 'select 1 from queue_recipient where finished_at is null limit 1'

const finished = async ({ ground }: Ground): Promise<void> => {
  // Cut connections are tried again after a minute; the run does not wait for that.
  const hurry = `update queue_recipient set next_at = now() where state = 'deferred'`
  await until(
    'everything is sent',
    async () => {
      await ground.query(hurry)
      await ground.query('delete from queue_destination')
      return (await ground.query(UNFINISHED)).length === 0
    },
    { limitMs: SETTLE_MS, everyMs: 100 },
  )
}

const stateOf = async ({ ground }: Ground): Promise<string> =>
  JSON.stringify([
    await ground.query('select * from queue_recipient order by message_id'),
    await ground.query('select * from queue_attempt order by message_id, attempt'),
  ])

const check = async ({ ground, sink, sent }: Ground): Promise<string[]> => {
  const rows = await ground.query<{ state: string }>(`select state from queue_recipient where state <> 'delivered'`)
  const arrived = arrivals(sink).size
  return [
    ...(arrived === sent ? [] : [`${sent - arrived} of ${sent} messages were lost`]),
    ...rows.map(({ state }) => `a recipient is ${state}`),
  ]
}

const duplicates = (sink: RawPeer): number =>
  [...arrivals(sink).values()].reduce((total, count) => total + count - 1, 0)
