import type { Socket } from 'node:net'
import { HOSTING_SECRET, MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { polite, type RawPeer, startRawPeer } from '@stoa/mail/sending/queue/testing/raw-peer.ts'
import { openClient } from '../../bench/imap/client.ts'
import { startFakeDns } from '../../lib/fake-dns.ts'
import { freePort } from '../../lib/free-port.ts'
import { connectSmtp } from '../../lib/smtp-client.ts'
import { startBalancer } from '../balancer.ts'
import { within } from '../limits.ts'
import { openMailGround } from '../mail-ground.ts'
import { plantKey, startMailLoad } from '../mail-load.ts'
import { call, type Outcome, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { startTcpBalancer } from '../tcp-balancer.ts'

const MAX_RELEASE_MS = within(10_000)
const SETTLE_MS = 60_000
const DRAIN_SECONDS = 2
const DOMAIN = 'outside.test'
/** Mail that has left without an answer is sent again when its lease ends, after a minute. */
const LEASE_SETTLE_MS = 120_000
/** The peer never answers the first attempt at these recipients. */
const HELD = 'held'
/** At these it takes the first message, and never says so. */
const LEFT = 'left'

type Process = { service: ServiceProcess; smtpPort: number; imapsPort: number }
type Findings = { stops: number[]; releases: number[]; broken: string[] }

/**
 * Two mail processes behind balancers are stopped and started in turn, while mail comes in, programs send and people read. No
 * request fails, a sender in the middle of a message gets a temporary failure, and what a process had begun to deliver is
 * delivered by the other one. It does not wait for an answer to what has left.
 */
export const mailRolling = async ({ restarts = 20, perSecond = 10 } = {}): Promise<Report> => {
  const dns = await startFakeDns()
  dns.set(DOMAIN, 'MX', [{ exchange: `in.${DOMAIN}`, preference: 10 }])
  dns.set(`in.${DOMAIN}`, 'A', ['127.0.0.1'])
  const peer = await startPeer()
  let databaseUrl = ''
  const env = {
    SECRET: HOSTING_SECRET,
    DNS_RESOLVERS: dns.address,
    SMTP_OUTBOUND_PORT: String(peer.port),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: '100000',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  }
  const ground = await openMailGround({
    env,
    reachedBy: async (url) => {
      databaseUrl = url
      return url
    },
  })
  const [smtpPort, imapsPort] = [await freePort(), await freePort()]
  const second = await startService('mail', {
    ...env,
    MAIL_DATABASE_URL: databaseUrl,
    DATA_DIR: ground.folder,
    SMTP_PORT: String(smtpPort),
    IMAPS_PORT: String(imapsPort),
    LIMIT_EXEMPT: '127.0.0.0/8',
  })
  const processes: Process[] = [
    { service: ground.service, smtpPort: ground.smtpPort, imapsPort: ground.imapPort },
    { service: second, smtpPort, imapsPort },
  ]
  const { boxes } = ground
  const web = await startBalancer(processes.map(({ service }) => service.url))
  const smtp = await startTcpBalancer(
    processes.map(({ service, smtpPort: port }) => ({
      host: '127.0.0.1',
      port,
      isReady: async () => (await call(`${service.url}/readyz`)).status === 200,
    })),
    { keepsConnections: true },
  )
  const token = await plantKey(boxes.database)
  const load = startMailLoad({ port: smtp.port, recipients: boxes.emails, perSecond })
  const programs = startPrograms(web.url, token, perSecond)
  await until('mail comes in', () => load.acknowledged.size > 3)

  const [email = ''] = boxes.emails
  const { stops, releases, broken } = await restartInTurn({ processes, email, peer, programs }, restarts)
  await load.finish()
  const outcomes = await programs.stop()
  const isSent = async () =>
    (await boxes.database.pool.query('select 1 from queue_recipient where finished_at is null limit 1')).rowCount === 0
  await until('everything is sent', isSent, { limitMs: LEASE_SETTLE_MS, everyMs: 200 })
  broken.push(...(await boxes.check(load)), ...checkSent(peer, outcomes))
  const odd = [...load.refusals.keys()].filter((code) => code !== '421')
  broken.push(...odd.map((code) => `a sender was answered ${code}`))
  const failed = outcomes.filter(({ status }) => status !== 200)
  broken.push(...failed.map(({ status, code }) => `a request failed: ${status} ${code}`))

  await web.close()
  await smtp.close()
  await second.stop()
  broken.push(...(await ground.close()))
  await peer.close()
  await dns.close()
  return {
    figures: {
      restarts,
      received: load.acknowledged.size,
      ...Object.fromEntries([...load.refusals].map(([code, times]) => [`answered_${code}`, times])),
      requests: outcomes.length,
      failed: failed.length,
      retried_by_balancer: web.retried(),
      stop_ms: Math.round(Math.max(0, ...stops)),
      released: releases.length,
      released_ms: Math.round(Math.max(0, ...releases)),
      sent_twice: twiceAt(peer),
    },
    broken,
  }
}

type Ground = { processes: readonly Process[]; email: string; peer: RawPeer; programs: Programs }

const restartInTurn = async (ground: Ground, restarts: number): Promise<Findings> => {
  const { processes, email, peer, programs } = ground
  const found: Findings = { stops: [], releases: [], broken: [] }
  let held: string | null = null
  for (let restart = 0; restart < restarts; restart += 1) {
    const leaving = processes[restart % processes.length]
    if (!leaving) throw new Error('there are no processes')
    const reader = await idleReader(leaving, email)
    const sender = await senderInMessage(leaving, email)
    const stoppedAt = performance.now()
    const stopped = leaving.service.stop()
    const [answer, goodbye] = await Promise.all([sender.answer(), reader.goodbye()])
    const code = await stopped
    found.stops.push(performance.now() - stoppedAt)
    if (code !== 0) found.broken.push(`a process ended with ${code}`)
    if (answer !== 421) found.broken.push(`a sender in the middle of a message was answered ${answer}`)
    if (!goodbye) found.broken.push('a reader was not told that the server leaves')
    if (held !== null) {
      const recipient: string = held
      await until('another process delivers what this one had begun', () => attemptsAt(peer, recipient) > 1)
      found.releases.push(performance.now() - stoppedAt)
    }
    // The one that is left begins what it will not have finished when its turn comes.
    const next = `${HELD}-${restart}@${DOMAIN}`
    if (restart < restarts - 1) {
      await programs.send(next)
      await programs.send(`${LEFT}-${restart}@${DOMAIN}`)
      await until('the delivery has begun', () => attemptsAt(peer, next) > 0)
      await until('a message has left', () => peer.messages.some(({ raw }) => raw.includes(`${LEFT}-${restart}@`)))
      held = next
    }
    await leaving.service.restart()
  }
  const slowest = Math.max(0, ...found.releases)
  if (slowest > MAX_RELEASE_MS) found.broken.push(`a delivery was released after ${Math.round(slowest)} ms`)
  return found
}

/** Somebody who waits in IDLE; `goodbye` is whether the server says that it leaves (RFC 3501 §7.1.5). */
const idleReader = async ({ imapsPort }: Process, email: string) => {
  const client = await openClient({ port: imapsPort, isTls: true })
  // A process that is too busy in its first moments says NO.
  const signIn = () =>
    client.say(`LOGIN ${email} "${MAILBOX_PASSWORD}"`).then(
      () => true,
      () => false,
    )
  await until('somebody signs in', signIn, { everyMs: 500 })
  await client.say('SELECT INBOX')
  client.socket.write('i IDLE\r\n')
  await client.nextAnswer()
  let received = ''
  client.socket.on('data', (text: string) => {
    received += text
  })
  const closed = new Promise((resolve) => client.socket.once('close', resolve))
  return {
    async goodbye(): Promise<boolean> {
      await closed
      return received.includes('* BYE')
    },
  }
}

/** A mail server that has sent half of a message. */
const senderInMessage = async ({ smtpPort }: Process, email: string) => {
  const client = await connectSmtp({ port: smtpPort })
  for (const line of [`EHLO ${DOMAIN}`, `MAIL FROM:<half@${DOMAIN}>`, `RCPT TO:<${email}>`, 'DATA'])
    await client.say(line)
  client.raw('Subject: Half of it\r\n\r\nAnd then')
  return {
    async answer(): Promise<number | 'cut'> {
      const code = await client.reply(SETTLE_MS).then(
        (reply) => reply.code,
        () => 'cut' as const,
      )
      client.close()
      return code
    },
  }
}

type Programs = ReturnType<typeof startPrograms>

/** Programs that send through the API, so many a second, a few at a time. */
const startPrograms = (url: string, token: string, perSecond: number) => {
  const outcomes: Outcome[] = []
  const running = new Set<Promise<void>>()
  let count = 0
  const send = async (to: string): Promise<void> => {
    const body = { from: 'a@ours.test', to, subject: 'Rolling', text: 'Hello' }
    outcomes.push(await call(`${url}/api/emails`, { method: 'POST', token, body }))
  }
  const timer = setInterval(() => {
    if (running.size >= AT_ONCE) return
    count += 1
    const work = send(`x${count}@${DOMAIN}`)
    running.add(work)
    void work.finally(() => running.delete(work))
  }, 1_000 / perSecond)
  return {
    send,
    async stop(): Promise<Outcome[]> {
      clearInterval(timer)
      await Promise.all(running)
      return outcomes
    },
  }
}
/** A client that waits longer than a stop may take is cut, on purpose: on a busy machine that would be many at once. */
const AT_ONCE = 2

const startPeer = (): Promise<RawPeer> => {
  const seen = new Set<string>()
  const silent = new WeakSet<Socket>()
  const answer = polite()
  return startRawPeer((line, at) => {
    const isFirst = !seen.has(line)
    const isHeld = line.startsWith(`RCPT TO:<${HELD}`)
    const hasLeft = line.startsWith(`RCPT TO:<${LEFT}`)
    if (isHeld || hasLeft) seen.add(line)
    if (hasLeft && isFirst) silent.add(at.socket)
    const isSilent = at.isData ? silent.has(at.socket) : isHeld && isFirst
    return isSilent ? undefined : answer(line, at)
  })
}

const recipientsAt = ({ lines }: RawPeer): string[] => lines.filter((line) => line.startsWith('RCPT TO:'))
const attemptsAt = (peer: RawPeer, recipient: string): number =>
  recipientsAt(peer).filter((line) => line.includes(`<${recipient}>`)).length
const twiceAt = (peer: RawPeer): number => {
  const all = recipientsAt(peer).filter((line) => !line.includes(HELD) && !line.includes(LEFT))
  return all.length - new Set(all).size
}

const checkSent = (peer: RawPeer, outcomes: readonly Outcome[]): string[] => {
  const accepted = outcomes.filter(({ status }) => status === 200).length
  const arrived = new Set(recipientsAt(peer)).size
  return arrived >= accepted ? [] : [`${accepted - arrived} of ${accepted} mails did not leave`]
}
