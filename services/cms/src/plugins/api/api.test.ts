import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type PluginManifest, pluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { newId } from '@stoa/kit/ids.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import type { Person } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { listActivity } from '../../content/taxonomies/testing/queries.ts'
import type { Account } from '../../principal.ts'
import type { Caller, EnabledPlugin } from '../running/running.ts'
import { createSandbox, HostRefusal, type Json, type Reach } from '../sandbox/sandbox.ts'
import { createReach, type ReachParts } from './api.ts'
import { siteCalls } from './site.ts'

const HOST = 'api.example.com'

let site: Site
let outside: Server
let handler: (request: IncomingMessage, response: ServerResponse) => void
let parts: ReachParts
let reachOf: ReturnType<typeof createReach>
let port = 0

before(async () => {
  site = await startSite()
  const { key, cert } = selfSignedCertificate([HOST])
  outside = createServer({ key, cert }, (request, response) => handler(request, response))
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const address = outside.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  port = address.port
  parts = {
    services: () => site.cms.services,
    store: async (plugin, { method, args }) => {
      if (method === 'break') throw new Error('the password of the database')
      return { plugin: plugin.name, method, args }
    },
    ownSettings: async ({ name }) => ({ token: `secret of ${name}` }),
    egress: createEgress({
      ports: [443, port],
      // One name is outside although it is here; another is inside.
      isAllowed: () => true,
      resolver: async (name) => (name === HOST ? ['127.0.0.1'] : []),
      trustedCa: [cert],
    }),
  }
  reachOf = createReach(parts)
})
after(async () => {
  outside.closeAllConnections()
  outside.close()
  await site.close()
})
beforeEach(() => {
  handler = (_request, response) => response.end('hello')
})

const manifest: PluginManifest = pluginManifest.parse({
  name: 'tried',
  label: 'Tried',
  version: '1.0.0',
  api: 1,
  server: 'server.js',
})
const plugin = (grants: readonly string[], more: Partial<EnabledPlugin> = {}): EnabledPlugin => ({
  name: 'tried',
  manifest,
  grants,
  hosts: [HOST],
  hash: '',
  ...more,
})
const person = ({ id, email, role }: Person): Caller => {
  const at = site.clock.now()
  const account: Account = {
    id,
    email,
    role,
    name: email,
    avatar: null,
    hasTotp: false,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  return { kind: 'person', account }
}
const ALL = [
  'content.read',
  'content.write',
  'content.publish',
  'media.manage',
  'taxonomy.manage',
  'menus.manage',
  'social.write',
  'social.publish',
]

const call = (reach: Reach, name: string, ...args: Json[]) => {
  const [module = '', method = ''] = name.split('.')
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return reach({ module, method, args }, AbortSignal.timeout(30_000)) as Promise<any>
}
const refused = (code: string, status: number) => (error: unknown) => {
  assert.ok(error instanceof HostRefusal, String(error))
  assert.deepEqual([error.code, error.status], [code, status], error.message)
  return true
}

const addAccount = async (): Promise<string> => {
  const id = newId()
  const base = 'https://social.example'
  const addresses = { authorizeUrl: base, tokenUrl: base, apiBase: base, uploadBase: base }
  const endpoints = JSON.stringify({ ...addresses, apiVersion: '', scopes: [] })
  await site.cms.database.pool.query(
    `insert into social_account (id, network, remote_id, name, kind, endpoints, client_id, tokens_at, scopes, status,
       status_since, connected_at, updated_at)
     values ($1, 'mastodon', $1, 'Harbour', 'profile', $3, 'app', $2, '{}', 'active', $2, $2, $2)`,
    [id, site.clock.now(), endpoints],
  )
  return id
}

describe('what the site holds', () => {
  test('is reached by routes that programs may use, each of which there is', () => {
    for (const [module, methods] of Object.entries(siteCalls))
      for (const [method, meant] of Object.entries(methods)) {
        const { method: verb, path } = meant()
        const route = site.cms.routes.find((one) => one.method === verb && one.path === path)
        assert.ok(route, `${module}.${method}`)
        assert.deepEqual(route.auth, ['session', 'agent'], `${module}.${method}`)
        assert.notEqual(route.access.needs, null, `${module}.${method}`)
      }
  })

  test('reads exactly as the person reads it over HTTP', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Read', data: { summary: 's' } })
    const menu = await site.editor.client.post('/api/menus', { name: 'main', label: 'Main', items: [] })
    assert.equal(menu.status, 201, menu.text)
    const picture = await site.addMedia()
    const reach = reachOf(plugin(ALL), person(site.editor))
    const same = async (name: string, args: Json[], path: string) => {
      const { status, body } = await site.editor.client.get(path)
      assert.equal(status, 200, path)
      assert.deepEqual(JSON.parse(JSON.stringify(await call(reach, name, ...args))), body, name)
    }
    await same('content.types', [], '/api/types')
    await same('content.list', [{ type: 'article', limit: 5, q: null }], '/api/entries?type=article&limit=5')
    await same('content.get', [id], `/api/entries/${id}`)
    await same('media.list', [{ page: 1 }], '/api/media')
    await same('media.get', [picture], `/api/media/${picture}`)
    await same('taxonomies.list', [], '/api/taxonomies')
    await same('menus.list', [], '/api/menus')
    await same('menus.get', ['main'], '/api/menus/main')
    await same('social.accounts', [], '/api/social/networks')
    await same('social.posts', [], '/api/social/posts')
    await same('settings.site', [], '/api/settings')
  })

  test('is written as the person, and Activity says through what', async () => {
    const reach = reachOf(plugin(ALL), person(site.editor))
    const made = await call(reach, 'content.create', { type: 'article', title: 'Made', data: { summary: 's' } })
    const updated = await call(reach, 'content.update', made.id, { title: 'Changed' }, { ifVersion: made.version })
    assert.equal(updated.title, 'Changed')
    assert.equal((await call(reach, 'content.setStatus', made.id, 'publish')).status, 'published')
    assert.equal(await call(reach, 'content.remove', made.id), undefined)
    assert.notEqual((await call(reach, 'content.get', made.id)).deletedAt, null)
    const rows = (await listActivity(site)).filter(({ target_id }) => target_id === made.id)
    assert.ok(rows.length >= 4)
    for (const row of rows) assert.deepEqual([row.actor_id, row.via], [site.editor.id, 'plugin'])
    const picture = await site.addMedia()
    assert.equal((await call(reach, 'media.update', picture, { alt: 'A door' })).alt, 'A door')
    await site.addTaxonomy('tags', [])
    assert.equal((await call(reach, 'taxonomies.addTerm', 'tags', { slug: 'new', name: 'New' })).slug, 'new')
  })

  test('is written by the plugin itself when nobody called', async () => {
    const reach = reachOf(plugin(ALL), { kind: 'plugin', chain: 0 })
    const made = await call(reach, 'content.create', { type: 'article', title: 'By itself', data: { summary: 's' } })
    assert.equal(made.authorId, null)
    await assert.rejects(call(reach, 'content.list', { author: 'me' }), refused('VALIDATION_FAILED', 400))
    const post = await call(reach, 'social.createPost', { caption: 'Hello', accountIds: [await addAccount()] })
    assert.equal((await call(reach, 'social.getPost', post.id)).caption, 'Hello')
    const changed = await call(reach, 'social.updatePost', post.id, { caption: 'Bye' }, { ifVersion: post.version })
    assert.equal(changed.caption, 'Bye')
    const later = new Date(site.clock.now().getTime() + 3_600_000).toISOString()
    assert.equal((await call(reach, 'social.schedule', post.id, later)).status, 'scheduled')
    const rows = (await listActivity(site)).filter(({ target_id }) => target_id === made.id)
    assert.deepEqual(
      rows.map((row) => [row.actor_id, row.via]),
      [[null, 'plugin']],
    )
  })

  test('is refused without a permission that the plugin declared, for every caller', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Kept', data: { summary: 's' } })
    const before = await site.read(id)
    const attempts: [string[], string, ...Json[]][] = [
      [[], 'content.get', id],
      [['content.write'], 'content.list', {}],
      [['content.read'], 'content.update', id, { title: 'x' }],
      [['content.read'], 'content.remove', id],
      [['content.read', 'content.write'], 'content.setStatus', id, 'publish'],
      [['social.write'], 'social.publish', id],
      [['social.write'], 'social.schedule', id, '2030-01-01T00:00:00Z'],
      [['content.read'], 'social.posts'],
      // Never for plugins, whatever a stored record says.
      [['settings.manage', 'plugins.manage'], 'settings.site'],
    ]
    for (const [grants, name, ...args] of attempts)
      for (const caller of [person(site.admin), { kind: 'plugin', chain: 0 } as const])
        await assert.rejects(call(reachOf(plugin(grants), caller), name, ...args), refused('FORBIDDEN', 403), name)
    assert.deepEqual(await site.read(id), before)
  })

  test('is refused to a person whose role does not reach so far, whatever the plugin was given', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Kept', data: { summary: 's' } })
    const before = await site.read(id)
    for (const caller of [person(site.viewer), person(site.author)])
      await assert.rejects(
        call(reachOf(plugin(ALL), caller), 'content.update', id, { title: 'x' }),
        refused('FORBIDDEN', 403),
      )
    assert.deepEqual(await site.read(id), before)
  })

  test('is closed to a visitor; documents, settings of the plugin and crypto are not', async () => {
    const reach = reachOf(plugin(ALL), { kind: 'visitor' })
    for (const [module, methods] of Object.entries(siteCalls))
      for (const method of Object.keys(methods))
        await assert.rejects(call(reach, `${module}.${method}`), refused('FORBIDDEN', 403))
    assert.deepEqual(await call(reach, 'settings.own'), { token: 'secret of tried' })
    assert.deepEqual(await call(reach, 'store.put', 'plans', 'a'), {
      plugin: 'tried',
      method: 'put',
      args: ['plans', 'a'],
    })
    assert.equal(await call(reach, 'crypto.equal', 'a', 'a'), true)
  })

  test('refuses what HTTP refuses, in the same words', async () => {
    const reach = reachOf(plugin(ALL), person(site.editor))
    const made = await call(reach, 'content.create', { type: 'article', title: 'Once', data: { summary: 's' } })
    const wire = await site.editor.client.put(`/api/entries/${made.id}`, { title: 'x' }, { 'if-match': '"v99"' })
    const conflict = await call(reach, 'content.update', made.id, { title: 'x' }, { ifVersion: 99 }).catch((e) => e)
    assert.ok(refused('VERSION_CONFLICT', 409)(conflict))
    assert.deepEqual([conflict.message, conflict.details], [wire.body.error, wire.body.details])
    const invalid = await call(reach, 'content.create', { type: 'article', colour: 'red' }).catch((e) => e)
    assert.ok(refused('VALIDATION_FAILED', 400)(invalid))
    const over = await site.editor.client.post('/api/entries', { type: 'article', colour: 'red' })
    assert.deepEqual(invalid.details, over.body.details)
    for (const odd of [{ id: made.id }, [made.id], null, 5, '', '../types'])
      await assert.rejects(call(reach, 'content.get', odd), refused('NOT_FOUND', 404), JSON.stringify(odd))
    for (const odd of [['x'], 'text', { type: { a: 1 } }, { page: -1 }, { unknown: 'x' }])
      await assert.rejects(call(reach, 'content.list', odd), refused('VALIDATION_FAILED', 400), JSON.stringify(odd))
    for (const odd of ['3', 1.5, [1], {}])
      await assert.rejects(
        call(reach, 'content.update', made.id, { title: 'x' }, { ifVersion: odd }),
        refused('VALIDATION_FAILED', 400),
        JSON.stringify(odd),
      )
    assert.equal((await site.read(made.id)).title, 'Once')
  })

  test('has no other calls than those that are listed', async () => {
    const reach = reachOf(plugin(ALL), person(site.admin))
    for (const name of [
      'content.purge',
      'users.list',
      'content.constructor',
      '__proto__.toString',
      'crypto.__proto__',
      'http.request',
      '.',
      'settings.update',
    ])
      await assert.rejects(call(reach, name), refused('VALIDATION_FAILED', 400), name)
  })

  test('reveals nothing of an internal error, and logs it', async () => {
    const reach = reachOf(plugin([]), { kind: 'plugin', chain: 0 })
    await assert.rejects(call(reach, 'store.break'), (error) => {
      assert.doesNotMatch(String(error), /password/)
      return refused('INTERNAL', 500)(error)
    })
    assert.ok(site.logs.some((line) => line.includes('store.break')))
  })
})

describe('crypto', () => {
  test('hashes, signs, compares and draws tokens', async () => {
    const reach = reachOf(plugin([]), { kind: 'plugin', chain: 0 })
    assert.equal(
      await call(reach, 'crypto.sha256', 'abc'),
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    // RFC 4231 §4.3
    assert.equal(
      await call(reach, 'crypto.hmac', 'Jefe', 'what do ya want for nothing?'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    assert.deepEqual(
      [await call(reach, 'crypto.equal', 'a', 'b'), await call(reach, 'crypto.equal', 'é', 'é')],
      [false, true],
    )
    const [one, other] = [await call(reach, 'crypto.randomToken'), await call(reach, 'crypto.randomToken')]
    assert.match(one, /^[\w-]{43}$/)
    assert.notEqual(one, other)
    assert.equal((await call(reach, 'crypto.randomToken', 16)).length, 22)
    for (const odd of [0, 1.5, 10_000, '8', null])
      await assert.rejects(call(reach, 'crypto.randomToken', odd), refused('VALIDATION_FAILED', 400))
    await assert.rejects(call(reach, 'crypto.sha256', { a: 1 }), refused('VALIDATION_FAILED', 400))
  })
})

describe('http.fetch', () => {
  const fetch = (url: string, request?: Json, more?: Partial<EnabledPlugin>) =>
    call(
      reachOf(plugin([], { name: `fetcher-${names++}`, ...more }), { kind: 'plugin', chain: 0 }),
      'http.fetch',
      url,
      request ?? null,
    )
  let names = 0

  test('sends to a declared host and gives its answer', async () => {
    handler = (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.writeHead(201, { 'x-seen': `${request.method} ${request.headers['x-mine']}` })
        response.end(Buffer.concat(chunks))
      })
    }
    const answer = await fetch(`https://${HOST}:${port}/a?b`, {
      method: 'post',
      headers: { 'x-mine': 'yes' },
      body: 'é',
    })
    assert.deepEqual([answer.status, answer.body, answer.headers['x-seen']], [201, 'é', 'POST yes'])
  })

  test('goes to no host that is not declared, by no other scheme, and to no inner address', async () => {
    let hits = 0
    handler = (_request, response) => {
      hits += 1
      response.end()
    }
    for (const url of [
      'https://other.example.com/',
      `https://sub.${HOST}/`,
      `https://${HOST}.evil.example/`,
      `https://evil.example/#@${HOST}`,
      `https://${HOST}@evil.example/`,
      `http://${HOST}:${port}/`,
      `https://127.0.0.1:${port}/`,
      'ftp://api.example.com/',
      'file:///etc/passwd',
      `https://user:secret@${HOST}:${port}/`,
      `https://${HOST}:22/`,
    ])
      await assert.rejects(fetch(url), refused('FORBIDDEN', 403), url)
    await assert.rejects(fetch('nothing'), refused('VALIDATION_FAILED', 400))
    assert.equal(hits, 0)
  })

  test('reaches no private address behind a declared name', async () => {
    const reach = createReach({
      services: () => site.cms.services,
      store: async () => null,
      ownSettings: async () => ({}),
      egress: createEgress({ ports: [443], resolver: async () => ['192.168.0.1'] }),
    })(plugin([]), { kind: 'plugin', chain: 0 })
    await assert.rejects(call(reach, 'http.fetch', `https://${HOST}/`), refused('FORBIDDEN', 403))
  })

  test('follows no redirect: it is the answer', async () => {
    const seen: unknown[] = []
    handler = (request, response) => {
      seen.push(request.url)
      response.writeHead(302, { location: 'http://127.0.0.1/inner' }).end()
    }
    const { status, headers } = await fetch(`https://${HOST}:${port}/first`)
    assert.deepEqual([status, headers.location, seen], [302, 'http://127.0.0.1/inner', ['/first']])
  })

  test('refuses an answer of more than 1 MiB, and headers that are not the plugin’s to set', async () => {
    handler = (_request, response) => response.end('x'.repeat(2_000_000))
    await assert.rejects(fetch(`https://${HOST}:${port}/`), refused('FETCH_FAILED', 502))
    const odd: Json[] = [
      { headers: { host: 'evil.example' } },
      { headers: { 'Content-Length': '5' } },
      { headers: { 'x-a': 'b\r\nx-c: d' } },
      { headers: { 'x a': 'b' } },
      { method: 'TRACE' },
      { body: { a: 1 } },
      { redirect: 'follow' },
      'text',
    ]
    for (const request of odd)
      await assert.rejects(
        fetch(`https://${HOST}:${port}/`, request),
        refused('VALIDATION_FAILED', 400),
        JSON.stringify(request),
      )
  })

  test('is done 60 times a minute at most for each plugin, in all processes together', async () => {
    const url = `https://${HOST}:${port}/`
    const other = createReach(parts)(plugin([], { name: 'busy' }), { kind: 'plugin', chain: 0 })
    for (let n = 0; n < 30; n += 1) {
      assert.equal((await fetch(url, null, { name: 'busy' })).status, 200)
      assert.equal((await call(other, 'http.fetch', url)).status, 200)
    }
    await assert.rejects(call(other, 'http.fetch', url), refused('RATE_LIMITED', 429))
    await assert.rejects(fetch(url, null, { name: 'busy' }), refused('RATE_LIMITED', 429))
    assert.equal((await fetch(url, null, { name: 'calm' })).status, 200)
    site.clock.advance(60_000)
    assert.equal((await fetch(url, null, { name: 'busy' })).status, 200)
  })
})

test('in the sandbox: code writes as its caller, and gets the errors of the service', async (t) => {
  const code = `
    import { content, settings, crypto } from 'stoa'
    export const routes = { 'POST /': async ({ body, actor }) => {
      const made = await content.create({ type: 'article', title: body.title, data: { summary: 's' } })
      const error = await content.update(made.id, { title: 'x' }, { ifVersion: 9 }).catch(({ code, status }) => ({ code, status }))
      return { id: made.id, by: made.authorId, error, own: await settings.own(), hash: await crypto.sha256(actor.id) }
    } }`
  const handlers = [{ kind: 'route', name: 'POST /' }] as const
  const sandbox = createSandbox({ name: 'tried', code, handlers, onDeath: () => undefined })
  t.after(() => sandbox.stop())
  const run = (caller: Caller, actor: Json) =>
    sandbox.run({
      kind: 'route',
      name: 'POST /',
      input: { body: { title: 'From the sandbox' }, actor },
      reach: reachOf(plugin(ALL), caller),
      timeMs: 60_000,
      onLog: () => undefined,
    })
  const answer = (await run(person(site.editor), { id: 'x' })) as Record<string, Json>
  assert.deepEqual(answer.error, { code: 'VERSION_CONFLICT', status: 409 })
  assert.deepEqual(answer.own, { token: 'secret of tried' })
  assert.equal(answer.by, site.editor.id)
  assert.equal((await site.read(String(answer.id))).title, 'From the sandbox')
  await assert.rejects(run(person(site.viewer), { id: site.editor.id, role: 'owner' }), /allow this/)
})
