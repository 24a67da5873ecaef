import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOSTING_SECRET } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { polite, type RawPeer, startRawPeer } from '@stoa/mail/sending/queue/testing/raw-peer.ts'
import { startFakeDns } from '../../lib/fake-dns.ts'
import { freePort } from '../../lib/free-port.ts'
import { openMailGround, preloaded } from '../mail-ground.ts'
import { plantKey, startMailLoad } from '../mail-load.ts'
import { call, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { startService } from '../service-process.ts'

const HOUR_MS = 3_600_000
const JUMPS: Readonly<Record<string, number>> = {
  'an hour ahead': HOUR_MS,
  'an hour behind': -HOUR_MS,
  'ten years ahead': 10 * 365 * 24 * HOUR_MS,
  'right again': 0,
}
const DOMAINS = ['a.test', 'b.test', 'c.test', 'd.test']
/** How long the peer thinks about a message: long enough for others to see it under way. */
const ANSWER_MS = 400
/** What was received carries the time of the database, whatever a machine takes for it. */
const MAX_SKEW_MS = 60_000
const SETTLE_MS = 30_000

/**
 * The clock of one of two machines is set while both send and receive. Nothing is sent twice, given up or stuck, and what comes
 * in has the right time.
 */
export const mailClock = async ({ jumps = Object.keys(JUMPS), mails = 40 } = {}): Promise<Report> => {
  const dns = await startFakeDns()
  for (const domain of DOMAINS) {
    dns.set(domain, 'MX', [{ exchange: `in.${domain}`, preference: 10 }])
    dns.set(`in.${domain}`, 'A', ['127.0.0.1'])
  }
  const peer = await startRawPeer(slowly)
  let databaseUrl = ''
  const env = {
    SECRET: HOSTING_SECRET,
    DNS_RESOLVERS: dns.address,
    SMTP_OUTBOUND_PORT: String(peer.port),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: '100000',
  }
  const ground = await openMailGround({
    env,
    reachedBy: async (url) => {
      databaseUrl = url
      return url
    },
  })
  const clockFile = join(ground.folder, 'clock')
  writeFileSync(clockFile, '0')
  const port = await freePort()
  const jumping = await startService('mail', {
    ...env,
    ...preloaded('clock'),
    CLOCK_FILE: clockFile,
    MAIL_DATABASE_URL: databaseUrl,
    DATA_DIR: ground.folder,
    SMTP_PORT: String(port),
    LIMIT_EXEMPT: '127.0.0.0/8',
  })
  const { boxes, service } = ground
  const token = await plantKey(boxes.database)
  const load = startMailLoad({ port, recipients: boxes.emails, perSecond: 5 })
  const broken: string[] = []
  let sent = 0
  for (const jump of jumps) {
    const send = async (url: string): Promise<void> => {
      sent += 1
      const body = {
        from: 'a@ours.test',
        to: `x${sent}@${DOMAINS[sent % DOMAINS.length]}`,
        subject: jump,
        text: 'Hello',
      }
      const { status, code } = await call(`${url}/api/emails`, { method: 'POST', token, body })
      if (status !== 200) broken.push(`${jump}: a mail was answered ${status} ${code}`)
    }
    // Half of it is under way when the clock is set, half comes afterwards.
    for (let at = 0; at < mails / 2; at += 1) await send(at % 2 === 0 ? service.url : jumping.url)
    writeFileSync(clockFile, String(JUMPS[jump] ?? 0))
    for (let at = 0; at < mails / 2; at += 1) await send(at % 2 === 0 ? service.url : jumping.url)
    const known = load.acknowledged.size
    await until('mail comes in', () => load.acknowledged.size > known + 3)
    if (!(await isFinished(boxes.database.pool))) broken.push(`${jump}: mail is stuck`)
  }
  await load.finish()
  broken.push(...(await boxes.check(load)), ...(await checkSent(boxes.database.pool, peer, sent)))
  const skew = await skewOf(boxes.database.pool)
  if (skew > MAX_SKEW_MS) broken.push(`what came in is dated ${Math.round(skew / 1_000)} s off`)
  if (jumping.hasExited()) broken.push('the process whose clock was set ended')
  await jumping.stop()
  broken.push(...(await ground.close()))
  await peer.close()
  await dns.close()
  return {
    figures: {
      jumps: jumps.length,
      sent,
      received: load.acknowledged.size,
      twice: twiceAt(peer),
      skew_ms: Math.round(skew),
    },
    broken,
  }
}

const slowly: Parameters<typeof startRawPeer>[0] = (line, peer) => {
  const reply = polite()(line, peer)
  if (line !== '.' || reply === undefined) return reply
  setTimeout(() => peer.socket.destroyed || peer.socket.write(reply), ANSWER_MS)
  return undefined
}

type Pool = Awaited<ReturnType<typeof openMailGround>>['boxes']['database']['pool']

/** Whether nothing is under way any more, as it soon should be. */
const isFinished = async (pool: Pool): Promise<boolean> => {
  const isDone = async () =>
    (await pool.query('select 1 from queue_recipient where finished_at is null limit 1')).rowCount === 0
  const isSent = await until('everything is sent', isDone, { limitMs: SETTLE_MS, everyMs: 100 }).then(
    () => true,
    () => false,
  )
  await sleep(ANSWER_MS)
  return isSent
}

const recipientsAt = (peer: RawPeer): string[] => peer.lines.filter((line) => line.startsWith('RCPT TO:'))
const twiceAt = (peer: RawPeer): number => {
  const all = recipientsAt(peer)
  return all.length - new Set(all).size
}

const checkSent = async (pool: Pool, peer: RawPeer, sent: number): Promise<string[]> => {
  const { rows } = await pool.query<{ state: string; reply: string | null; count: number }>(
    `select state, last_reply as reply, count(*)::int as count from queue_recipient where state <> 'delivered' group by 1, 2`,
  )
  const arrived = new Set(recipientsAt(peer)).size
  return [
    ...rows.map(({ state, reply, count }) => `${count} recipients are ${state}: ${reply}`),
    ...(arrived === sent ? [] : [`${sent - arrived} of ${sent} mails did not arrive`]),
    ...(twiceAt(peer) === 0 ? [] : [`${twiceAt(peer)} mails were sent twice`]),
  ]
}

/** How far the time of what was received is from when its row was written. */
const skewOf = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ ms: number }>(
    `select coalesce(max(greatest(extract(epoch from received_at - now()), extract(epoch from now() - received_at - interval '10 minutes'))), 0)::float8
       * 1000 as ms from message`,
  )
  return Math.max(0, rows[0]?.ms ?? 0)
}
