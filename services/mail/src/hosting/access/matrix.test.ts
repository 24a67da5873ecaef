import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { apiRoutes } from '../../app.ts'
import { type Access, type CredentialKind, credentialKinds, type Principal } from '../../principal.ts'
import { MAILBOX_PASSWORD, plantAddress } from '../addresses/testing/hosting.ts'
import { authorise, createWebmailTokens, openWebmailSession, toAccount } from './access.ts'

/** Every route against every kind of credential: what is added to the table is tested without a line here. */

type Route = (typeof apiRoutes)[number]
type Verdict = 'reached' | 'unauthorized' | 'forbidden' | 'missing_api_key' | 'invalid_api_key' | 'restricted_api_key'

let mail: MailService
let ownerId: string
let memberId: string
before(async () => {
  mail = await startMail()
  ownerId = (await mail.signUp()).id
  memberId = (await mail.signUp()).id
  await plantAddress(mail.database, MAILBOX, { accountId: memberId })
})
after(() => mail.close())

const MAILBOX = 'ada@matrix.test'
/** A new one each time: signing out is among what is tried. Without the work of a sign-in. */
const openWebmail = async (): Promise<string> => {
  const { config, clock, database } = mail
  signedIn ??= mail.parts.credentials.check({ email: MAILBOX, password: MAILBOX_PASSWORD, scope: 'webmail', ip: IP })
  const answer = await signedIn
  assert.ok(answer.ok)
  const ctx = { config, now: clock.now, webmailTokens: createWebmailTokens(config.secret) }
  const { cookie } = await database.tx((tx) => openWebmailSession(ctx, tx, answer, { ip: IP, userAgent: 'test' }))
  return cookie.value
}
const IP = '192.0.2.9'
let signedIn: ReturnType<MailService['parts']['credentials']['check']> | undefined
const basic = (password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${MAILBOX}:${password}`).toString('base64')}`,
})

type Credential = {
  /** The kind it counts as; null when it proves nothing. */
  kind: CredentialKind | null
  role?: 'owner' | 'member'
  permission?: 'full_access' | 'sending_access'
  /** It is sent in the Authorization header, where a key is looked for. */
  isHeader?: true
  /** Asked of every route, though it proves nothing. */
  isForAll?: true
  open(): Promise<Opened>
}

type Opened = { client: MailClient; headers?: Record<string, string> }

/** One of each, used already: the first use is noted. */
const apiKeys = new Map<string, Promise<string>>()
const apiKeyOf = (permission: 'full_access' | 'sending_access', isRevoked = false): Promise<string> => {
  const name = `${permission} ${isRevoked}`
  const made = apiKeys.get(name) ?? newApiKey(permission, isRevoked)
  apiKeys.set(name, made)
  return made
}
const newApiKey = async (permission: 'full_access' | 'sending_access', isRevoked: boolean): Promise<string> => {
  const { client } = withCookie(await mail.openSession(memberId))
  const { body } = await client.post('/api/api-keys', { name: 'x', permission })
  await client.post('/api/emails', {}, { authorization: `Bearer ${body.token}` })
  if (isRevoked) await client.send('DELETE', `/api/api-keys/${body.id}`)
  return body.token
}
const withHeader = (token: string) => ({ client: mail.client(), headers: { authorization: `Bearer ${token}` } })
const withCookie = (cookie: string) => ({ client: mail.client({ cookie }) })
const flipLast = (text: string): string => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')

const credentials: Record<string, Credential> = {
  'no credential': { kind: null, isForAll: true, open: async () => ({ client: mail.client() }) },
  'a garbage cookie': { kind: null, open: async () => withCookie('garbage') },
  'an unsigned cookie': { kind: null, open: async () => withCookie(`${'a'.repeat(43)}.${'b'.repeat(43)}`) },
  'a tampered cookie': { kind: null, open: async () => withCookie(flipLast(await mail.openSession(memberId))) },
  'an expired session': {
    kind: null,
    open: async () => {
      const cookie = await mail.openSession(memberId)
      const now = mail.clock.now()
      await mail.database.tx((tx) => tx.updateTable('session').set({ expires_at: now }).execute())
      return withCookie(cookie)
    },
  },
  'a revoked session': {
    kind: null,
    open: async () => {
      const cookie = await mail.openSession(memberId)
      await mail.database.tx((tx) => tx.deleteFrom('session').execute())
      return withCookie(cookie)
    },
  },
  "a session's cookie as bearer": {
    kind: null,
    isHeader: true,
    open: async () => withHeader(await mail.openSession(memberId)),
  },
  'something like an API key': { kind: null, isHeader: true, open: async () => withHeader(`mk_${'a'.repeat(43)}`) },
  'a revoked API key': {
    kind: null,
    isHeader: true,
    open: async () => withHeader(await apiKeyOf('full_access', true)),
  },
  'an API key with full access': {
    kind: 'key',
    permission: 'full_access',
    isHeader: true,
    open: async () => withHeader(await apiKeyOf('full_access')),
  },
  'an API key that only sends': {
    kind: 'key',
    permission: 'sending_access',
    isHeader: true,
    open: async () => withHeader(await apiKeyOf('sending_access')),
  },
  "a member's session": {
    kind: 'session',
    role: 'member',
    open: async () => withCookie(await mail.openSession(memberId)),
  },
  "a webmail session's cookie as the panel's": { kind: null, open: async () => withCookie(await openWebmail()) },
  "a panel session's cookie as webmail's": {
    kind: null,
    open: async () => ({ client: mail.client({ webmailCookie: await mail.openSession(memberId) }) }),
  },
  'a tampered webmail cookie': {
    kind: null,
    open: async () => ({ client: mail.client({ webmailCookie: flipLast(await openWebmail()) }) }),
  },
  'a webmail session': {
    kind: 'webmail',
    open: async () => ({ client: mail.client({ webmailCookie: await openWebmail() }) }),
  },
  'a mailbox password': {
    kind: 'mailbox',
    isHeader: true,
    open: async () => ({ client: mail.client(), headers: basic(MAILBOX_PASSWORD) }),
  },
  'a wrong mailbox password': {
    kind: null,
    isHeader: true,
    open: async () => ({ client: mail.client(), headers: basic('wrong') }),
  },
  "the owner's session": {
    kind: 'session',
    role: 'owner',
    open: async () => withCookie(await mail.openSession(ownerId)),
  },
}

/** What the guards before an operation read of a route. */
const declarationOf = ({ method, auth, access, crossOrigin, surface }: Route): string =>
  JSON.stringify([method === 'GET', auth, access, crossOrigin, surface])
const oneOfEach = [...new Map(apiRoutes.map((route) => [declarationOf(route), route])).values()]

/** The declaration alone decides about what proves nothing: those are asked of one route of each. */
const routesFor = ({ kind, isForAll }: Credential): readonly Route[] =>
  kind !== null || isForAll ? apiRoutes : oneOfEach

const verdictFor = (route: Route, { kind, role, permission, isHeader }: Credential): Verdict => {
  if (route.auth === 'public') return 'reached'
  if (route.auth.includes('key')) {
    if (kind === 'key')
      return route.access === 'sent' && permission !== 'full_access' ? 'restricted_api_key' : 'reached'
    if (isHeader) return 'invalid_api_key'
    return kind !== null && route.auth.includes(kind) ? 'reached' : 'missing_api_key'
  }
  if (kind === null || !route.auth.includes(kind)) return 'unauthorized'
  return route.access === 'owner' && role !== 'owner' ? 'forbidden' : 'reached'
}

/** From an address of its own each time: wrong passwords are counted by it. */
const call = async (route: Route, { client, headers }: Opened): Promise<MailAnswer> => {
  const path = route.path.replace(/:\w+/g, () => newId())
  const { cookie, webmailCookie } = client
  const cookies = { ...(cookie && { cookie }), ...(webmailCookie && { webmailCookie }) }
  return mail.client(cookies).send(route.method, path, {
    ...(headers && { headers }),
    ...(route.method !== 'GET' && { body: {} }),
  })
}

const refusedAs =
  (wanted: number) =>
  ({ status, body, headers }: MailAnswer, name: string): void => {
    assert.deepEqual([status, body.statusCode], [wanted, wanted], name)
    assert.deepEqual(headers.getSetCookie(), [], name)
  }

const check = {
  reached: (answer, name) => {
    const isRefused = [401, 403, 405, 429].includes(answer.status) || answer.status >= 500
    assert.equal(isRefused, false, `${name}: ${answer.status} ${answer.text}`)
  },
  unauthorized: ({ status, body: { message, ...body }, headers }, name) => {
    assert.deepEqual({ status, body }, { status: 401, body: { statusCode: 401, name: 'unauthorized' } }, name)
    assert.match(message, /^(You're not signed in|Wrong address or password)\.$/, name)
    assert.deepEqual(headers.getSetCookie(), [], name)
  },
  forbidden: ({ status, body }, name) => {
    assert.deepEqual([status, body.name], [403, 'forbidden'], name)
  },
  missing_api_key: refusedAs(401),
  restricted_api_key: refusedAs(401),
  invalid_api_key: refusedAs(403),
} satisfies Record<Verdict, (answer: MailAnswer, name: string) => void>

describe('every route against every credential', () => {
  for (const route of apiRoutes)
    test(`${route.method} ${route.path} is open to whom it is for`, async () => {
      for (const [name, credential] of Object.entries(credentials)) {
        if (verdictFor(route, credential) !== 'reached') continue
        const answer = await call(route, await credential.open())
        check.reached(answer, name)
        if (credential.kind !== 'mailbox') assert.notEqual(answer.headers.get('ratelimit-limit'), null, name)
      }
    })

  for (const [name, credential] of Object.entries(credentials))
    test(`routes that are not for ${name} refuse it, and change nothing anywhere`, async () => {
      const opened = await credential.open()
      const before = await readEverything()
      for (const route of routesFor(credential)) {
        const verdict = verdictFor(route, credential)
        if (verdict === 'reached') continue
        const answer = await call(route, opened)
        const what = `${route.method} ${route.path}`
        check[verdict](answer, what)
        if (verdict.endsWith('api_key')) assert.equal(answer.body.name, verdict, what)
        assert.notEqual(answer.headers.get('ratelimit-limit'), null, what)
      }
      assert.deepEqual(await readEverything(), before)
    })

  test('knows every kind of credential', () => {
    const known = new Set(Object.values(credentials).map(({ kind }) => kind))
    for (const kind of credentialKinds) assert.ok(known.has(kind), kind)
  })

  test('a route without a credential is one that the specification lists as such', () => {
    const open = apiRoutes.filter(({ auth }) => auth === 'public').map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      open.filter((name) => !PUBLIC_ROUTES.has(name)),
      [],
    )
  })
})

const PUBLIC_ROUTES = new Set([
  'GET /api/auth/signups',
  'POST /api/auth/signup',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/verify',
  'POST /api/auth/password/forgot',
  'POST /api/auth/password/reset',
  'GET /api/recover/check',
  'POST /api/recover/request',
  'POST /api/recover/reset',
  'POST /api/webhooks/payments',
  'POST /api/mail/login',
  'POST /api/mail/logout',
])

describe('access', () => {
  const rules: [Caller, Access, boolean][] = [
    ['nobody', 'anyone', true],
    ['nobody', 'account', false],
    ['nobody', 'owner', false],
    ['member', 'anyone', true],
    ['member', 'account', true],
    ['member', 'owner', false],
    ['owner', 'account', true],
    ['owner', 'owner', true],
    ['nobody', 'mailbox', false],
    ['owner', 'mailbox', false],
    ['mailbox', 'mailbox', true],
    ['mailbox', 'account', false],
    ['mailbox', 'owner', false],
    ['nobody', 'sending', false],
    ['owner', 'sending', false],
    ['owner', 'sent', true],
    ['mailbox', 'sent', false],
    ['sending_access', 'sending', true],
    ['sending_access', 'sent', false],
    ['full_access', 'sending', true],
    ['full_access', 'sent', true],
    ['full_access', 'account', false],
    ['full_access', 'owner', false],
    ['full_access', 'mailbox', false],
  ]
  for (const [who, access, isAllowed] of rules)
    test(`for ${access} ${isAllowed ? 'lets' : 'does not let'} ${who} in`, async () => {
      const principal = await principalOf(who)
      const act = () => authorise(principal, { access })
      if (isAllowed) assert.doesNotThrow(act)
      else assert.throws(act, { code: principal.kind === 'key' ? 'restricted_api_key' : 'forbidden' })
    })
})

type Caller = 'nobody' | 'member' | 'owner' | 'mailbox' | 'full_access' | 'sending_access'

const principalOf = async (who: Caller): Promise<Principal> => {
  if (who === 'nobody') return { kind: 'anonymous' }
  if (who === 'mailbox') {
    const attempt = { email: MAILBOX, password: MAILBOX_PASSWORD, scope: 'jmap', ip: IP } as const
    const answer = await mail.parts.credentials.check(attempt)
    assert.ok(answer.ok)
    return { kind: 'mailbox', signIn: answer, via: 'basic', sessionId: null, expiresAt: null }
  }
  const isKey = who === 'full_access' || who === 'sending_access'
  const role = isKey ? 'owner' : who
  const row = await mail.database.db
    .selectFrom('account')
    .selectAll()
    .where('role', '=', role)
    .executeTakeFirstOrThrow()
  if (isKey) return { kind: 'key', account: toAccount(row), key: { id: newId(), permission: who, domainId: null } }
  return { kind: 'session', sessionId: newId(), account: toAccount(row) }
}

/** A digest of every row of every table. */
const readEverything = async (): Promise<unknown> => {
  const tables = await mail.database.db.query<{ name: string }>({
    text: `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  })
  return Promise.all(
    tables.map(({ name }) =>
      mail.database.db.query({
        text: `select '${name}' as name, md5(string_agg(t::text, '' order by t::text)) from ${name} t`,
      }),
    ),
  )
}
