import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock, type TestClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { stopHttp } from '@stoa/kit/http/server.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { createMail } from '@stoa/mail/app.ts'
import { type Config, readConfig } from '@stoa/mail/config.ts'
import type { SharedParts } from '@stoa/mail/context.ts'
import { startEngine } from '@stoa/mail/engine.ts'
import { createSessionTokens, openSession } from '@stoa/mail/hosting/access/access.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { PATIENT } from './cluster.ts'
import { freePort } from './free-port.ts'
import { nextPort, notePort } from './kept-port.ts'
import { serviceDatabase, serviceTemplate } from './service-database.ts'

export type MailOptions = {
  /** Variables in place of the ones below. */
  env?: Record<string, string>
  /** Another service's database: a second process, or the same one after a restart. */
  databaseUrl?: string
  /** The clock goes on by itself: for browsers, which have one of their own. */
  isLive?: boolean
  /** Its public address is the one that it listens on: for browsers that are led back to it from elsewhere. */
  isPublic?: boolean
  /** In place of the payment provider of the configuration: the same one with less patience. */
  payments?: (config: Config) => Promise<SharedParts['payments']>
}

export type MailService = {
  url: string
  databaseUrl: string
  config: Config
  clock: TestClock
  database: Database<Tables>
  /** The parts that the process shares; without MAIL_ROLES it serves only HTTP. */
  parts: SharedParts
  /** Every line that was logged. */
  logs: string[]
  /** Someone with a cookie jar and an IP address of their own. */
  client(options?: { ip?: string; cookie?: string; webmailCookie?: string }): MailClient
  /** A new account with its client signed in. */
  signUp(email?: string): Promise<{ client: MailClient; email: string; id: string }>
  /** A cookie of that account, without the work of a sign-in. */
  openSession(accountId: string): Promise<string>
  close(): Promise<void>
}

export type MailRequest = {
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown
  headers?: Record<string, string>
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type MailAnswer = { status: number; headers: Headers; text: string; body: any }

export type MailClient = {
  ip: string
  /** The value of `mail_session`, if there is one. */
  cookie: string | undefined
  /** The value of `mail_webmail`, if there is one. */
  webmailCookie: string | undefined
  get(path: string, request?: MailRequest): Promise<MailAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<MailAnswer>
  send(method: string, path: string, request?: MailRequest): Promise<MailAnswer>
}

export const PASSWORD = 'a long pass phrase'
/** Any moment will do; it stands still, so that limits and expiry are exact. */
const START = new Date('2026-03-01T12:00:00.000Z')
const TEST_ENV = {
  NODE_ENV: 'test',
  MAIL_PORT: '0',
  MAIL_PUBLIC_URL: 'http://mail.test',
  SECRET: 'a secret of the tests, long enough for anyone',
  RATE_LIMIT_PER_SECOND: '1000',
  MAIL_ROLES: 'http',
  MAIL_HOSTNAME: 'mx.stoa.test',
  // Clients choose their address with X-Forwarded-For.
  TRUSTED_PROXIES: '127.0.0.0/8',
}

/** The mail service in this process, on a free port, with a database of its own and a clock that stands still. */
export const startMail = async (options: MailOptions = {}): Promise<MailService> => {
  const { env = {}, databaseUrl, isLive = false, isPublic = false } = options
  const own = databaseUrl === undefined ? await serviceDatabase('mail') : undefined
  const url = databaseUrl ?? own?.url ?? ''
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'trace', destination: { write: (line) => void logs.push(line) } })
  const clock = isLive ? createRunningClock() : createTestClock(START)
  const folder = await mkdtemp(join(tmpdir(), 'stoa-mail-'))
  const port = (await nextPort()) || (isPublic ? await freePort() : 0)
  const publicUrl = isPublic ? { MAIL_PUBLIC_URL: `http://127.0.0.1:${port}` } : {}
  const config = readConfig({ ...TEST_ENV, ...publicUrl, MAIL_DATABASE_URL: url, DATA_DIR: folder, ...env })
  const database = openDatabase<Tables>({ url, poolSize: config.databasePoolSize, log, ...PATIENT })
  const bus = openBus(database, { log })
  const engine = await startEngine({ config, database, bus, log, clock })
  const { blobs, hosting, credentials, live, prices } = engine
  const payments = options.payments ? await options.payments(config) : engine.payments
  const parts = { config, database, blobs, bus, log, clock, hosting, credentials, live, payments, prices }
  const http = createMail(parts)
  const address = await http.listen({ port, host: '127.0.0.1' })
  notePort(address)

  const client: MailService['client'] = ({ ip = nextIp(), ...cookies } = {}) => createClient(address, ip, cookies)
  return {
    url: address,
    databaseUrl: url,
    config,
    clock,
    database,
    parts,
    logs,
    client,
    async signUp(email = `person-${++people}@example.test`) {
      const made = client()
      const answer = await made.post('/api/auth/signup', { email, password: PASSWORD })
      if (answer.status !== 201) throw new Error(`sign-up of ${email} answered ${answer.status}: ${answer.text}`)
      return { client: made, email, id: String(answer.body.id) }
    },
    async openSession(accountId) {
      const ctx = { config, now: clock.now, sessionTokens: createSessionTokens(config.secret) }
      const request = { ip: '192.0.2.1', userAgent: 'test' }
      return (await database.tx((tx) => openSession(ctx, tx, accountId, request))).value
    },
    async close() {
      await Promise.all([stopHttp(http), engine.stop()])
      await blobs.close()
      await bus.close()
      await database.close()
      await own?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let people = 0
let addresses = 0

const nextIp = (): string => {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

export const mailTemplate = (): Promise<string> => serviceTemplate('mail')

/** The time of the machine, plus what a test moves it by. */
const createRunningClock = (): TestClock => {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    set: (to) => {
      ahead = to.getTime() - Date.now()
    },
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}

const createClient = (
  address: string,
  ip: string,
  { cookie, webmailCookie }: { cookie?: string; webmailCookie?: string },
): MailClient => {
  const made: MailClient = {
    ip,
    cookie,
    webmailCookie,
    get: (path, request) => made.send('GET', path, request),
    post: (path, body, headers) => made.send('POST', path, { body, headers: headers ?? {} }),
    async send(method, path, { body, headers = {} } = {}) {
      const response = await fetch(address + path, {
        method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': ip,
          ...cookieHeader(made),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
      })
      keepCookie(made, response.headers.getSetCookie())
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
  }
  return made
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

const cookieHeader = ({ cookie, webmailCookie }: MailClient): { cookie?: string } => {
  const pairs = [
    ...(cookie === undefined ? [] : [`mail_session=${cookie}`]),
    ...(webmailCookie === undefined ? [] : [`mail_webmail=${webmailCookie}`]),
  ]
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
}

const keepCookie = (client: MailClient, lines: string[]): void => {
  for (const line of lines) {
    const [, name, value] = /^(mail_session|mail_webmail)=([^;]*)/.exec(line) ?? []
    const kept = value === '' ? undefined : value
    if (name === 'mail_session') client.cookie = kept
    if (name === 'mail_webmail') client.webmailCookie = kept
  }
}
