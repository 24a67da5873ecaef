import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppParts, type Cms, createApp } from '@stoa/cms/app.ts'
import { readConfig } from '@stoa/cms/config.ts'
import type { CmsTx } from '@stoa/cms/context.ts'
import { expiryOf, prefixes, SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { RealtimeOptions } from '@stoa/cms/site/realtime/realtime.ts'
import type { Me } from '@stoa/cms-model/accounts.ts'
import type { DesignManifest } from '@stoa/cms-model/design.ts'
import type { Role } from '@stoa/cms-model/permissions.ts'
import type { VisualDefinitions } from '@stoa/cms-model/visual.ts'
import type { WebsiteManifest } from '@stoa/cms-model/website.ts'
import { createTestClock, type TestClock } from '@stoa/kit/clock.ts'
import { hashPassword } from '@stoa/kit/crypto/password.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { hmacToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { PATIENT } from './cluster.ts'
import { freePort } from './free-port.ts'
import { nextPort, notePort } from './kept-port.ts'
import { serviceDatabase } from './service-database.ts'
import { until } from './waiting.ts'

export type CmsOptions = {
  /** Variables in place of the ones below. */
  env?: Record<string, string>
  /** Another service's database: a second process, or the same one after a restart. */
  databaseUrl?: string
  clock?: TestClock
  /** A built admin UI in place of the repository's own. */
  adminFolder?: string
  /** Works on jobs and webhook deliveries, too. */
  background?: boolean
  /** How often queues are looked at without being woken. */
  pollMs?: number
  /** The way to webhook targets in place of the one that the variables allow. */
  webhookEgress?: Egress
  /** How long a second of the sockets lasts. */
  realtime?: RealtimeOptions
  /** The visual definitions of a host's pages. */
  visual?: VisualDefinitions
  website?: WebsiteManifest
  design?: DesignManifest
  /** How long the visual editor waits for a page. */
  pageTimeoutMs?: number
  adminBase?: string
  /** Networks in place of the nine. */
  socialNetworks?: AppParts['socialNetworks']
  /** The way to networks, for example with a resolver of one's own. */
  socialEgress?: Egress
  /** How long the answer to a person who sends a post waits. */
  socialWaitMs?: number
  /** Hosts of hosted AI providers in place of the real ones; these may be private. */
  aiHosts?: AppParts['aiHosts']
  aiEgress?: Egress
  aiTimeouts?: AppParts['aiTimeouts']
  /** Replaces the sandbox that runs the code of plugins. */
  createSandbox?: AppParts['createSandbox']
  /** Plugins in place of those of the database. */
  plugins?: AppParts['plugins']
  /** Waits for its database as long as in production: a busy machine may then answer 503. */
  isImpatient?: true
  /** PUBLIC_URL is where it really is: for pages whose policy names it. */
  atPublicUrl?: true
}

export type CmsService = {
  url: string
  databaseUrl: string
  clock: TestClock
  cms: Cms
  /** Every line that was logged. */
  logs: string[]
  /** Someone with an address of their own; a session token is sent as bearer, unless a cookie is asked for. */
  client(options?: ClientOptions): CmsClient
  /** The site's first owner, signed in. */
  claim(): Promise<Person>
  /** A person of that role with a session, without the work of hashing. All have the password PASSWORD. */
  person(role: Role, members?: { email?: string; name?: string }): Promise<Person>
  /** A session row of that account, and its token. */
  openSession(accountId: string): Promise<{ id: string; token: string }>
  close(): Promise<void>
}

export type Person = { id: string; email: string; role: Role; token: string; sessionId: string; client: CmsClient }

export type ClientOptions = { ip?: string; token?: string; cookie?: string }

export type CmsRequest = {
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown
  headers?: Record<string, string>
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type CmsAnswer = { status: number; headers: Headers; text: string; body: any }

export type CmsClient = {
  ip: string
  token: string | undefined
  /** The value of the session cookie; kept from answers. */
  cookie: string | undefined
  get(path: string, headers?: Record<string, string>): Promise<CmsAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<CmsAnswer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<CmsAnswer>
  delete(path: string, headers?: Record<string, string>): Promise<CmsAnswer>
  send(method: string, path: string, request?: CmsRequest): Promise<CmsAnswer>
}

export const PASSWORD = 'seven lanterns in the harbour'
export const PUBLIC_URL = 'http://cms.test'

const TEST_ENV = {
  NODE_ENV: 'test',
  PORT: '0',
  PUBLIC_URL,
  SECRET: 'a secret of the tests, long enough for anyone',
  // Clients choose their address with X-Forwarded-For.
  TRUSTED_PROXIES: '127.0.0.0/8',
  // A test that looks into the folder names one of its own.
  STORAGE_LOCAL_DIR: join(tmpdir(), 'stoa-cms-test-media'),
}
/** Any moment will do; it stands still, so that limits and expiry are exact. */
const START = new Date('2026-03-01T12:00:00.000Z')

/** The CMS in this process, on a free port, with a database of its own and a clock that stands still. */
export const startCms = async (options: CmsOptions = {}): Promise<CmsService> => {
  const own = options.databaseUrl === undefined ? await serviceDatabase('cms') : undefined
  const databaseUrl = options.databaseUrl ?? own?.url ?? ''
  const logs: string[] = []
  const log = createLogger({ name: 'cms', level: 'trace', destination: { write: (line) => void logs.push(line) } })
  const clock = options.clock ?? createTestClock(START)
  const known = options.atPublicUrl ? (await nextPort()) || (await freePort()) : null
  const publicUrl = known === null ? {} : { PUBLIC_URL: `http://127.0.0.1:${known}` }
  const config = readConfig({ ...TEST_ENV, ...publicUrl, CMS_DATABASE_URL: databaseUrl, ...options.env })
  const cms = createApp(config, {
    log,
    clock,
    ...(!options.isImpatient && { databaseTimeouts: PATIENT }),
    ...(options.adminFolder && { adminFolder: options.adminFolder }),
    pollMs: options.pollMs,
    ...(options.webhookEgress && { webhookEgress: options.webhookEgress }),
    ...(options.realtime && { realtime: options.realtime }),
    ...(options.pageTimeoutMs && { pageTimeoutMs: options.pageTimeoutMs }),
    host: {
      ...(options.visual && { visual: options.visual }),
      ...(options.website && { website: options.website }),
      ...(options.design && { design: options.design }),
    },
    ...(options.adminBase && { adminBase: options.adminBase }),
    ...(options.socialNetworks && { socialNetworks: options.socialNetworks }),
    ...(options.socialEgress && { socialEgress: options.socialEgress }),
    ...(options.socialWaitMs !== undefined && { socialWaitMs: options.socialWaitMs }),
    ...(options.aiHosts && { aiHosts: options.aiHosts }),
    ...(options.aiEgress && { aiEgress: options.aiEgress }),
    ...(options.aiTimeouts && { aiTimeouts: options.aiTimeouts }),
    ...(options.createSandbox && { createSandbox: options.createSandbox }),
    ...(options.plugins && { plugins: options.plugins }),
  })
  await cms.prepare()
  if (options.background) await cms.startBackground()
  const url = await cms.app.listen({ port: known ?? (await nextPort()), host: '127.0.0.1' })
  notePort(url)
  const client: CmsService['client'] = (given = {}) => createClient(url, given)

  const openSession: CmsService['openSession'] = async (accountId) => {
    const token = newToken(prefixes.session)
    const id = newId()
    const now = clock.now()
    await cms.database.tx((tx) =>
      tx
        .insertInto('session')
        .values({
          id,
          account_id: accountId,
          token_hash: hmacToken(subKey(config.secret, 'session'), token),
          ip: '192.0.2.1',
          user_agent: 'test',
          created_at: now,
          last_seen_at: now,
          expires_at: expiryOf(now, now),
          revoked_at: null,
        })
        .execute(),
    )
    return { id, token }
  }

  return {
    url,
    databaseUrl,
    clock,
    cms,
    logs,
    client,
    openSession,
    async claim() {
      const made = client()
      const email = 'owner@example.test'
      const answer = await made.post('/api/auth/setup', { email, name: 'Olive Owner', password: PASSWORD })
      if (answer.status !== 201) throw new Error(`the claim answered ${answer.status}: ${answer.text}`)
      const user: Me = answer.body.user
      const token = String(answer.body.token)
      const { body } = await client({ token }).get('/api/auth/sessions')
      return {
        id: user.id,
        email,
        role: user.role,
        token,
        sessionId: String(body.items[0].id),
        client: client({ token, ip: made.ip }),
      }
    },
    async person(role, members = {}) {
      const id = newId()
      const email = members.email ?? `${role}-${++people}@example.test`
      const name = members.name ?? `${role} ${people}`
      await insertPerson(cms, { id, email, name, role, now: clock.now() })
      const { id: sessionId, token } = await openSession(id)
      return { id, email, role, token, sessionId, client: client({ token }) }
    },
    async close() {
      await cms.close()
      await own?.drop()
    },
  }
}

/** Inside a transaction that holds a lock: comes back once so many others of this database wait for one. */
export const untilWaiting = async (tx: CmsTx, count: number): Promise<void> => {
  await until(async () => {
    // A transaction sees the same activity until it asks for a new look.
    await tx.query({ text: 'select pg_stat_clear_snapshot()' })
    const [row] = await tx.query<{ waiting: number }>({
      text: `select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    })
    return row !== undefined && row.waiting >= count
  }, `${count} wait for a lock`)
}

let people = 0
let addresses = 0
let passwordHash: Promise<string> | undefined

const insertPerson = async (
  cms: Cms,
  person: { id: string; email: string; name: string; role: Role; now: Date },
): Promise<void> => {
  passwordHash ??= hashPassword(PASSWORD)
  const hash = await passwordHash
  await cms.database.tx((tx) =>
    tx
      .insertInto('account')
      .values({
        id: person.id,
        email: person.email,
        name: person.name,
        role: person.role,
        password_hash: hash,
        created_at: person.now,
        updated_at: person.now,
        updated_by: null,
        deactivated_at: null,
      })
      .execute(),
  )
}

const nextIp = (): string => {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

const createClient = (url: string, { ip = nextIp(), token, cookie }: ClientOptions): CmsClient => {
  const client: CmsClient = {
    ip,
    token,
    cookie,
    get: (path, headers = {}) => client.send('GET', path, { headers }),
    post: (path, body, headers = {}) => client.send('POST', path, { body, headers }),
    put: (path, body, headers = {}) => client.send('PUT', path, { body, headers }),
    delete: (path, headers = {}) => client.send('DELETE', path, { headers }),
    async send(method, path, { body, headers = {} } = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': client.ip,
          ...(client.token !== undefined && { authorization: `Bearer ${client.token}` }),
          ...(client.cookie !== undefined && { cookie: `${SESSION_COOKIE}=${client.cookie}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
      })
      keepCookie(client, response.headers.getSetCookie())
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
  }
  return client
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

const keepCookie = (client: CmsClient, lines: string[]): void => {
  for (const line of lines) {
    const value = new RegExp(`^${SESSION_COOKIE}=([^;]*)`).exec(line)?.[1]
    if (value !== undefined) client.cookie = value === '' ? undefined : value
  }
}
