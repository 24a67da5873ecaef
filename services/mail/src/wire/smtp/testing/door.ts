import { systemClock } from '@stoa/kit/clock.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { connectSmtp, type SmtpClient, type SmtpClientOptions } from '@stoa/tests/lib/smtp-client.ts'
import type { DoorServer } from '../../listen/listen.ts'
import { type Door, defaultSessionLimits, type SessionLimits } from '../door.ts'
import { refuse, reply } from '../replies.ts'
import { type SmtpServerOptions, startSmtpServer } from '../server.ts'

export type Kept = {
  ip: string
  from: string
  to: string[]
  bytes: Buffer
  isAcknowledged: boolean
  user: string | null
}

export type TestServer = {
  server: DoorServer
  kept: Kept[]
  connect(options?: Partial<SmtpClientOptions>): Promise<SmtpClient>
}

type Setup = {
  limits?: Partial<SessionLimits>
  server?: Partial<SmtpServerOptions<string, string>>
  maxMessageBytes?: number
  /** Names and passwords; without them everybody may send. */
  users?: Record<string, string>
  maxHoldSeconds?: number
  /** Runs before a message is answered. */
  beforeAnswer?: () => Promise<void>
}

const certificate = selfSignedCertificate(['localhost'])

/** A server that keeps what it is given for addresses at ours.test, and refuses all others. */
export const startTestServer = async (setup: Setup = {}): Promise<TestServer> => {
  const kept: Kept[] = []
  const { users } = setup
  const door: Door<string, string> = {
    name: 'mx',
    hostname: 'mx.ours.test',
    maxMessageBytes: setup.maxMessageBytes ?? 1_000_000,
    limits: { ...defaultSessionLimits, greetingMs: 0, tarpitMs: 1, ...setup.limits },
    log: createLogger({ name: 'test', level: 'silent' }),
    clock: systemClock,
    auth: users
      ? async (_session, name, password) =>
          users[name] === password ? name : reply(535, '5.7.8', 'Wrong address or password')
      : null,
    maxHoldSeconds: setup.maxHoldSeconds ?? 0,
    mail: async () => undefined,
    rcpt: async (_session, path) => {
      if (path.kind === 'mailbox' && path.local === 'breaks') throw new Error('an error of ours')
      if (path.kind === 'postmaster') return { address: 'postmaster@ours.test', value: 'postmaster' }
      if (path.kind !== 'mailbox' || path.domain !== 'ours.test') return refuse(550, '5.7.1', 'Relay access denied')
      return { address: path.address, value: path.local }
    },
    message: async (session, envelope, content) => {
      const pieces: Buffer[] = []
      let size = 0
      for await (const piece of content) {
        size += piece.length
        if (size > door.maxMessageBytes) refuse(552, '5.3.4', 'Message too large')
        pieces.push(piece)
      }
      await setup.beforeAnswer?.()
      const to = envelope.recipients.map(({ address }) => address)
      const { ip, user } = session
      const mail: Kept = { ip, from: envelope.from, to, bytes: Buffer.concat(pieces), isAcknowledged: false, user }
      kept.push(mail)
      return {
        reply: reply(250, '2.0.0', 'Ok'),
        onAcknowledged: () => {
          mail.isAcknowledged = true
        },
      }
    },
  }
  const server = await startSmtpServer({
    door,
    host: '127.0.0.1',
    port: 0,
    certificate: { current: () => certificate, onChange: () => undefined },
    isImplicit: false,
    trustedProxies: [],
    maxPerIp: 50,
    limitExempt: [],
    ...setup.server,
  })
  return { server, kept, connect: (options = {}) => connectSmtp({ port: server.port, ...options }) }
}

export const loopback = [parseCidr('127.0.0.0/8')]
