import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { agentPermissions, agentScopeOf, type Role, roles, scopeOf } from '@stoa/cms-model/permissions.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type Agent, agentFor } from '../agent-keys/testing/agents.ts'
import { deliveryKeyFor } from '../delivery-keys/testing/keys.ts'
import type { Route } from './access.ts'

const DAY = 86_400_000

/**
 * What answers without being a declared route: no data, no write. And `/ext/*`, which the router prints without the path
 * before its star: what plugins declare has tests of its own.
 */
const UNDECLARED = new Set(['/', '/healthz', '/readyz', '/admin', '/admin/', '/admin/*', '/*'])

/** Contract 13: whatever its grants, no agent key gets here. */
const PEOPLE_ONLY = [
  /^\S+ \/api\/auth\/(?!me$)/,
  /^(POST|PUT|DELETE) \/api\/auth\/me$/,
  /^\S+ \/api\/(agent-keys|delivery-keys|invitations|users|webhooks|plugins)(\/|$)/,
  /^\S+ \/api\/(ai|assistant|health)/,
  /^\S+ \/api\/social\/(settings|accounts)(\/|$)/,
  /^\S+ \/api\/(realtime\/ticket|demo|visual\/page)$/,
  /^POST \/api\/entries\/:id\/presence$/,
  /^DELETE \/api\/trash$/,
]

let service: CmsService
const people = new Map<Role, Person>()
const agents = new Map<Role, Agent>()
let reader: Agent
let deliveryKey: string
let revokedDeliveryKey: string
before(async () => {
  service = await startCms()
  for (const role of roles) {
    const person = await service.person(role)
    people.set(role, person)
    agents.set(role, await agentFor(service, person))
  }
  const owner = personOf('owner')
  reader = await agentFor(service, owner, { grants: ['content.read'] })
  deliveryKey = (await deliveryKeyFor(owner)).key
  const ended = await deliveryKeyFor(owner)
  await owner.client.delete(`/api/delivery-keys/${ended.id}`)
  revokedDeliveryKey = ended.key
})
after(() => service.close())

type Credential = {
  name: string
  /** Asked of every route; other credentials of one route of each declaration, which is all that decides about them. */
  isForAll?: true
  /** Made anew after a write about signing in that passes: it may have ended the session it came with. */
  headers(): Promise<Record<string, string>>
  expected(route: Route): string
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const personOf = (role: Role): Person => people.get(role) ?? assert.fail(`there is no ${role}`)
const agentOf = (role: Role): Agent => agents.get(role) ?? assert.fail(`there is no agent of a ${role}`)
const sessionFor = async (role: Role) => service.openSession(personOf(role).id)
const isDelivery = ({ auth }: Route) => auth !== PUBLIC && auth.includes('delivery')
const refusedUnlessPublic = (code: string) => (route: Route) => (route.auth === PUBLIC ? 'passes' : code)
/** What the admin API says, and what delivery says, where any bearer is of the wrong kind and no cookie is looked at. */
const refused = (code: string, onDelivery: string) => (route: Route) =>
  refusedUnlessPublic(isDelivery(route) ? onDelivery : code)(route)
const refusedBearer = (code: string) => refused(code, '401 WRONG_CREDENTIAL_KIND')

let expired: Agent | undefined
let revoked: Agent | undefined
let gone: Person | undefined

const credentials: Credential[] = [
  {
    name: 'nothing',
    isForAll: true,
    headers: async () => ({}),
    expected: refusedUnlessPublic('401 AUTH_REQUIRED'),
  },
  {
    name: 'a garbage bearer',
    headers: async () => bearer('garbage'),
    expected: refusedBearer('401 INVALID_TOKEN'),
  },
  {
    name: 'an unknown session token',
    headers: async () => bearer(`cmsses_${'x'.repeat(43)}`),
    expected: refusedBearer('401 INVALID_TOKEN'),
  },
  {
    name: 'a delivery key as bearer',
    headers: async () => bearer(deliveryKey),
    expected: refusedUnlessPublic('401 WRONG_CREDENTIAL_KIND'),
  },
  {
    name: 'a delivery key in X-Api-Key',
    headers: async () => ({ 'x-api-key': deliveryKey }),
    expected: refused('401 WRONG_CREDENTIAL_KIND', 'passes'),
  },
  {
    name: 'an unknown delivery key in X-Api-Key',
    headers: async () => ({ 'x-api-key': `cms_${'x'.repeat(43)}` }),
    expected: refused('401 WRONG_CREDENTIAL_KIND', '401 INVALID_TOKEN'),
  },
  {
    name: 'a revoked delivery key in X-Api-Key',
    headers: async () => ({ 'x-api-key': revokedDeliveryKey }),
    expected: refused('401 WRONG_CREDENTIAL_KIND', '401 TOKEN_REVOKED'),
  },
  {
    name: 'a session token in X-Api-Key',
    headers: async () => ({ 'x-api-key': (await sessionFor('owner')).token }),
    expected: refusedUnlessPublic('401 WRONG_CREDENTIAL_KIND'),
  },
  {
    name: 'an unknown agent key',
    headers: async () => bearer(`cmsagt_${'x'.repeat(43)}`),
    expected: refusedBearer('401 INVALID_TOKEN'),
  },
  {
    name: 'an agent key in X-Api-Key',
    headers: async () => ({ 'x-api-key': agentOf('owner').key }),
    expected: refusedUnlessPublic('401 WRONG_CREDENTIAL_KIND'),
  },
  {
    name: 'an agent key in the cookie',
    headers: async () => ({ cookie: `cms_session=${agentOf('owner').key}`, 'sec-fetch-site': 'same-origin' }),
    expected: refused('401 WRONG_CREDENTIAL_KIND', '401 AUTH_REQUIRED'),
  },
  {
    name: 'an expired agent key',
    headers: async () => {
      service.clock.advance(-8 * DAY)
      const { token } = await sessionFor('owner')
      expired ??= await agentFor(service, { ...personOf('owner'), token }, { expiresInDays: 7 })
      service.clock.advance(8 * DAY)
      return bearer(expired.key)
    },
    expected: refusedBearer('401 TOKEN_EXPIRED'),
  },
  {
    name: 'a revoked agent key',
    headers: async () => {
      if (!revoked) {
        revoked = await agentFor(service, personOf('owner'))
        await personOf('owner').client.delete(`/api/agent-keys/${revoked.id}`)
      }
      return bearer(revoked.key)
    },
    expected: refusedBearer('401 TOKEN_REVOKED'),
  },
  {
    name: 'an agent key with one grant',
    headers: async () => bearer(reader.key),
    expected: (route) => expectedForAgent(route, 'owner', ['content.read']),
  },
  {
    name: 'an expired session',
    headers: async () => {
      service.clock.advance(-8 * DAY)
      const { token } = await sessionFor('owner')
      service.clock.advance(8 * DAY)
      return bearer(token)
    },
    expected: refusedBearer('401 TOKEN_EXPIRED'),
  },
  {
    name: 'a revoked session',
    headers: async () => {
      const { id, token } = await sessionFor('owner')
      await service.cms.database.tx((tx) =>
        tx.updateTable('session').set({ revoked_at: service.clock.now() }).where('id', '=', id).execute(),
      )
      return bearer(token)
    },
    expected: refusedBearer('401 TOKEN_REVOKED'),
  },
  {
    name: 'a session of a deactivated owner',
    headers: async () => {
      if (!gone) {
        gone = await service.person('owner')
        const { id } = gone
        await service.cms.database.tx((tx) =>
          tx.updateTable('account').set({ deactivated_at: service.clock.now() }).where('id', '=', id).execute(),
        )
      }
      return bearer(gone.token)
    },
    expected: refusedBearer('401 TOKEN_REVOKED'),
  },
  {
    name: 'a cookie sent by a foreign page',
    isForAll: true,
    headers: async () => ({
      cookie: `cms_session=${(await sessionFor('owner')).token}`,
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
    }),
    expected: (route) => {
      if (route.method === 'GET') return route.auth === PUBLIC ? 'passes' : '401 AUTH_REQUIRED'
      if (isDelivery(route)) return '401 AUTH_REQUIRED'
      return route.crossOrigin ? 'passes' : '403 CSRF'
    },
  },
  ...roles.flatMap((role): Credential[] => [
    {
      name: `a session of a ${role}`,
      isForAll: true,
      headers: async () => bearer((await sessionFor(role)).token),
      expected: (route) => (isDelivery(route) ? '401 WRONG_CREDENTIAL_KIND' : expectedFor(route, role)),
    },
    {
      name: `a cookie of a ${role}`,
      headers: async () => ({
        cookie: `cms_session=${(await sessionFor(role)).token}`,
        'sec-fetch-site': 'same-origin',
      }),
      expected: (route) => (isDelivery(route) ? '401 AUTH_REQUIRED' : expectedFor(route, role)),
    },
    {
      name: `an agent key of a ${role} with every grant`,
      isForAll: true,
      headers: async () => bearer(agentOf(role).key),
      expected: (route) => expectedForAgent(route, role, agentPermissions),
    },
  ]),
]

const expectedFor = (route: Route, role: Role): string => {
  const { needs, isForOwners } = route.access
  if (isForOwners && role !== 'owner') return '403 FORBIDDEN'
  return needs === null || scopeOf(role, needs) !== null ? 'passes' : '403 FORBIDDEN'
}

const expectedForAgent = (route: Route, role: Role, grants: readonly string[]): string => {
  if (route.auth === PUBLIC) return 'passes'
  if (isDelivery(route)) return '401 WRONG_CREDENTIAL_KIND'
  if (!route.auth.includes('agent')) return '403 AGENT_NOT_ALLOWED'
  const { needs } = route.access
  return needs === null || agentScopeOf(role, grants, needs) !== null ? 'passes' : '403 FORBIDDEN'
}

/** What the guards before an operation read of a route. */
const declarationOf = ({ method, auth, access, crossOrigin, surface }: Route): string =>
  JSON.stringify([method === 'GET', auth, access, crossOrigin, surface])

const routesFor = ({ isForAll }: Credential): readonly Route[] =>
  isForAll
    ? service.cms.routes
    : [...new Map(service.cms.routes.map((route) => [declarationOf(route), route])).values()]

/** The route with ids that exist nowhere, and a body that no route accepts: a request that is let through changes nothing. */
const call = (route: Route, headers: Record<string, string>): Promise<CmsAnswer> =>
  service.client().send(
    route.method,
    route.path.replace(/:\w+/g, () => newId()),
    {
      headers,
      ...(route.body === undefined ? {} : { body: { 'no such member': true } }),
    },
  )

const outcome = ({ status, body }: CmsAnswer): string => {
  if (status === 401 || status === 403) return `${status} ${body.code}`
  return status < 500 ? 'passes' : `fails with ${status}`
}

/** What no refusal may change. */
const stateOf = async (): Promise<{ accounts: string; credentials: string }> => {
  const [state] = await service.cms.database.db.query<{ accounts: string; credentials: string }>({
    text: `select
      (select md5(string_agg(a::text, '|' order by id)) from account a) as accounts,
      (select md5(string_agg(id::text, '|' order by id)) from session where revoked_at is null) ||
      (select md5(string_agg(id::text || version, '|' order by id)) from agent_key) ||
      (select md5(string_agg(id::text || version, '|' order by id)) from delivery_key) as credentials`,
  })
  return state ?? assert.fail('the state cannot be read')
}

describe('routes x credentials', () => {
  test('the table has routes, each is declared once, and nothing else answers', async () => {
    const declared = service.cms.routes.map(({ method, path }) => `${method} ${path}`)
    assert.ok(declared.length > 10)
    assert.equal(new Set(declared).size, declared.length)
    // Where routes name the same segment differently, the router prints both names.
    const shape = (path: string) => path.replace(/:\w+(\|:\w+)*/g, ':')
    const paths = new Set(service.cms.routes.map(({ path }) => shape(path)))
    const served = pathsOf(service.cms.app.printRoutes({ commonPrefix: false })).map(shape)
    assert.deepEqual(
      served.filter((path) => !paths.has(path) && !UNDECLARED.has(path)),
      [],
    )
    for (const path of paths) assert.ok(served.includes(path), `${path} is declared and not served`)
  })

  test('without a credential only these are open under /api', () => {
    const open = service.cms.routes.filter(({ auth, path }) => auth === PUBLIC && path.startsWith('/api/'))
    assert.deepEqual(open.map(({ path }) => path).sort(), [
      '/api/auth/forgot',
      '/api/auth/invitation',
      '/api/auth/invitation/accept',
      '/api/auth/login',
      '/api/auth/reset',
      '/api/auth/setup',
      '/api/auth/status',
    ])
  })

  test('C10: a route takes delivery keys alone, or none', () => {
    const mixed = service.cms.routes.filter((route) => isDelivery(route) && route.auth.length !== 1)
    assert.deepEqual(mixed, [])
    const outside = service.cms.routes.filter((route) => isDelivery(route) && route.path.startsWith('/api/'))
    assert.deepEqual(outside, [])
  })

  test('C11: what hands out access, secrets or money is for people only', () => {
    const open = service.cms.routes
      .filter(({ auth }) => auth !== PUBLIC && auth.includes('agent'))
      .map(({ method, path }) => `${method} ${path}`)
    assert.ok(open.includes('GET /api/auth/me') && open.includes('GET /api/activity'))
    assert.deepEqual(
      open.filter((name) => PEOPLE_ONLY.some((closed) => closed.test(name))),
      [],
    )
  })

  test('C11: no route that programs may use needs what no agent key can hold', () => {
    const useless = service.cms.routes.filter(
      ({ auth, access }) =>
        auth !== PUBLIC && auth.includes('agent') && access.needs !== null && !agentPermissions.includes(access.needs),
    )
    assert.deepEqual(
      useless.map(({ method, path }) => `${method} ${path}`),
      [],
    )
  })

  for (const credential of credentials)
    test(`${credential.name}: routes answer what they declare, and a refusal changes nothing`, async () => {
      const results: Record<string, string> = {}
      const expected: Record<string, string> = {}
      let headers = await credential.headers()
      const ask = async (route: Route): Promise<void> => {
        const name = `${route.method} ${route.path}`
        const answer = await call(route, headers)
        results[name] = outcome(answer)
        expected[name] = credential.expected(route)
        if (answer.status >= 400) assert.ok(answer.body.error && answer.body.code, name)
      }
      const routes = routesFor(credential)
      const isOpen = (route: Route): boolean => credential.expected(route) === 'passes'
      const before = await stateOf()
      for (const route of routes) if (!isOpen(route)) await ask(route)
      assert.deepEqual(results, expected)
      assert.deepEqual(await stateOf(), before, 'a refusal changed something')
      for (const route of routes.filter(isOpen)) {
        await ask(route)
        // A request that was let through may have ended its own session.
        if (route.method !== 'GET' && route.path.startsWith('/api/auth/')) headers = await credential.headers()
      }
      assert.equal((await stateOf()).accounts, before.accounts, 'a request without a sound body changed an account')
      assert.deepEqual(results, expected)
    })
})

/** Full paths out of Fastify's own tree, whatever put them there. */
const pathsOf = (tree: string): string[] => {
  const open: string[] = []
  const found: string[] = []
  for (const line of tree.split('\n')) {
    const [, indent = '', rest = ''] = /^([│├└─ ]*)(.*)$/.exec(line) ?? []
    const [, part = '', methods] = /^(\S+)(?: \(([A-Z, ]+)\))?/.exec(rest) ?? []
    if (part === '') continue
    const depth = indent.length / 4
    open.length = depth
    open[depth] = part
    if (methods) found.push(open.join(''))
  }
  return found.filter((path) => path.startsWith('/'))
}
