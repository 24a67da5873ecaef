import type { Socket } from 'node:net'
import { systemClock } from '@stoa/kit/clock.ts'
import { openGround, type QueueGround } from '@stoa/mail/sending/queue/testing/ground.ts'
import { type Answer, polite, type RawPeer, startRawPeer } from '@stoa/mail/sending/queue/testing/raw-peer.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { median } from '../../bench/harness.ts'
import type { Report } from '../outcomes.ts'

const HEALTHY = 10
/** What the mail to others must keep of its speed. */
const TARGET = 0.9
const STALLED_MAIL = 20

const reset = (socket: Socket): undefined => {
  socket.resetAndDestroy()
  return undefined
}

/** Peers that cost the sender time: what they do instead of answering. */
const BAD: Record<string, { answer: Answer; greeting?: string | null }> = {
  silent: { answer: polite(), greeting: null },
  drip: {
    answer: (line, peer) => {
      if (!line.startsWith('EHLO')) return polite()(line, peer)
      const timer = setInterval(() => (peer.socket.destroyed ? clearInterval(timer) : peer.socket.write('2')), 1_000)
      return undefined
    },
  },
  busy: { answer: polite(), greeting: '421 4.3.2 too busy\r\n' },
  storm: { answer: (line, peer) => (line.startsWith('RCPT') ? '421 4.3.2 no\r\n' : polite()(line, peer)) },
  reset: { answer: (line, peer) => (line === '.' ? reset(peer.socket) : polite()(line, peer)) },
}

/** Mail to peers that stall, drip, storm and reset must not slow down the mail to others. */
export const mailPeers = async ({ messages = 1_000, perKind = 4, rounds = 5 } = {}): Promise<Report> => {
  const ground = await openGround()
  const sink = await startFakeSmtp({ tls: 'none' })
  for (let at = 0; at < HEALTHY; at += 1)
    ground.route(`ok${at}.test`, [{ host: `in.ok${at}.test`, address: sink.host }])
  const peers = await startBad(ground, sink, perKind)
  const queue = await ground.start(sink.port, { clock: systemClock })
  try {
    await timed(ground, sink, messages)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const alone = await timed(ground, sink, messages)
      for (const domain of badDomains(perKind)) await stall(ground, domain)
      const beside = await timed(ground, sink, messages)
      ratios.push(alone / beside)
      await ground.query(`delete from queue_message where id in (
        select message_id from queue_recipient where domain not like 'ok%')`)
      await ground.query('delete from queue_destination')
    }
    const reached = Object.fromEntries([...peers].map(([kind, list]) => [kind, list.reduce(sumOf, 0)]))
    const ratio = median(ratios)
    const broken = Object.entries(reached).flatMap(([kind, count]) => (count > 0 ? [] : [`no mail went to ${kind}`]))
    if (ratio < TARGET) broken.push(`others kept ${ratio.toFixed(2)} of their speed`)
    const bounced = await ground.query(`select 1 from queue_recipient where state in ('bounced', 'failed')`)
    if (bounced.length > 0) broken.push(`${bounced.length} messages were given up`)
    return { figures: { messages, ratio: ratio.toFixed(2), ...reached }, broken }
  } finally {
    await queue.stop()
    for (const list of peers.values()) for (const peer of list) await peer.close()
    await sink.close()
    await ground.close()
  }
}

const sumOf = (total: number, peer: RawPeer): number => total + peer.connections()

const badDomains = (perKind: number): string[] =>
  Object.keys(BAD).flatMap((kind) => Array.from({ length: perKind }, (_, at) => `${kind}${at}.test`))

/** All hosts listen on the same port, so each has an address of its own. */
const startBad = async (ground: QueueGround, sink: FakeSmtp, perKind: number): Promise<Map<string, RawPeer[]>> => {
  const peers = new Map<string, RawPeer[]>()
  let address = 1
  for (const [kind, { answer, greeting }] of Object.entries(BAD)) {
    for (let at = 0; at < perKind; at += 1) {
      address += 1
      const host = `127.0.1.${address}`
      const peer = await startRawPeer(answer, greeting, { host, port: sink.port })
      peers.set(kind, [...(peers.get(kind) ?? []), peer])
      ground.route(`${kind}${at}.test`, [{ host: `in.${kind}${at}.test`, address: host }])
    }
  }
  return peers
}

const stall = async (ground: QueueGround, domain: string): Promise<void> => {
  for (let count = 0; count < STALLED_MAIL; count += 1) await ground.send(`x@${domain}`, { now: new Date() })
}

/** Milliseconds until so many messages to the others have arrived. */
const timed = async (ground: QueueGround, sink: FakeSmtp, messages: number): Promise<number> => {
  const later = new Date(Date.now() + 3_600_000)
  for (let at = 0; at < messages; at += 1)
    await ground.send(`x@ok${at % HEALTHY}.test`, { now: new Date(), notBefore: later })
  const wanted = sink.messages.length + messages
  const began = performance.now()
  await ground.query(`update queue_recipient set next_at = now() where domain like 'ok%' and finished_at is null`)
  await ground.until('all have arrived', () => sink.messages.length >= wanted)
  return performance.now() - began
}
