import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type ErrorCode, errorCodes } from '@stoa/cms-model/error-codes.ts'
import { errorBody } from '@stoa/cms-model/errors.ts'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { catalogue } from './errors.ts'
import { agentFor } from './people/agent-keys/testing/agents.ts'
import { codeOf, enrol, signInWith, wrongCode } from './people/two-factor/testing/two-factor.ts'
import { openPluginDir, type PluginDir } from './plugins/folder/testing/plugin-dir.ts'

const ORIGIN = 'https://site.test'
const NEW_PASSWORD = 'nine lanterns on the pier'
const visual = visualDefinitions.parse({ article: { sections: [{ id: 'hero', label: 'Hero', selector: '#hero' }] } })

let plugins: PluginDir
let site: CmsService
let owner: Person
let editor: Person
let entryId: string
let deliveryKey: string
before(async () => {
  plugins = await openPluginDir()
  await plugins.write('curious', { permissions: ['content.read'] })
  site = await startCms({ visual, env: { DELIVERY_ORIGINS: ORIGIN, PLUGIN_DIR: plugins.path } })
  owner = await site.claim()
  editor = await site.person('editor')
  const { client } = owner
  const fields = [
    { key: 'summary', type: 'text' },
    { key: 'cover', type: 'media' },
  ]
  for (const type of [
    { name: 'article', label: 'Article', fields, previewUrl: '/{slug}' },
    { name: 'home', label: 'Home', kind: 'single', fields: [] },
  ])
    assert.equal((await client.post('/api/types', type)).status, 201)
  await client.post('/api/entries', { type: 'home', title: 'Home' })
  entryId = (await client.post('/api/entries', { type: 'article', title: 'First', slug: 'first' })).body.id
  deliveryKey = (await client.post('/api/delivery-keys', { name: 'Site', types: ['*'] })).body.key
})
after(async () => {
  await site.close()
  await plugins.close()
})

/** Everything that a refusal must leave as it is. That a key was used is noted whenever there is time for it. */
const state = async () => {
  const { db } = site.cms.database
  const tables = [
    'account',
    'content_type',
    'entry',
    'menu',
    'media',
    'taxonomy',
    'delivery_key',
    'webhook_endpoint',
    'plugin',
  ]
  const rows = tables.map((table) =>
    db.query({ text: `select to_jsonb(r) - 'last_used_at' as row from ${table} as r order by 1` }),
  )
  return Promise.all(rows)
}

const put = (body: object, headers = {}) => owner.client.put(`/api/entries/${entryId}`, body, headers)

/** One request per code. Where getting there changes something itself, the first part does it. */
type Provocation = (() => Promise<CmsAnswer>) | { prepare: () => Promise<() => Promise<CmsAnswer>> }

const provocations: Partial<Record<ErrorCode, Provocation>> = {
  VALIDATION_FAILED: () => put({ data: { summary: 5, nothing: 1 } }),
  INVALID_JSON: () => owner.client.send('PUT', `/api/entries/${entryId}`, { body: '{"title":' }),
  RESERVED_SLUG: () => put({ slug: 'single' }),
  SCHEDULE_IN_PAST: () =>
    owner.client.post(`/api/entries/${entryId}/status`, { action: 'publish', at: '2020-01-01T00:00:00.000Z' }),
  SOCIAL_INVALID: () => owner.client.post('/api/social/posts', { caption: 'Hello', accountIds: [] }),
  UNKNOWN_SECTION: () => put({ data: { __layout: { order: ['nowhere'], hidden: [] } } }),
  WEBHOOK_TARGET_REFUSED: () => owner.client.post('/api/webhooks', { url: 'http://127.0.0.1/x', events: ['*'] }),
  AUTH_REQUIRED: () => site.client().get('/api/entries'),
  INVALID_CREDENTIALS: () => site.client().post('/api/auth/login', { email: owner.email, password: 'wrong password' }),
  TOTP_REQUIRED: {
    prepare: async () => {
      const person = await site.person('viewer')
      await enrol(site, person)
      return () => signInWith(site, person)
    },
  },
  TOTP_INVALID: {
    prepare: async () => {
      const person = await site.person('viewer')
      const { secret } = await enrol(site, person)
      assert.equal((await signInWith(site, person, codeOf(site, secret))).status, 200)
      return () => signInWith(site, person, wrongCode(site, secret))
    },
  },
  INVALID_TOKEN: () => site.client({ token: `cmsses_${'x'.repeat(43)}` }).get('/api/entries'),
  TOKEN_EXPIRED: {
    prepare: async () => {
      const { client } = await agentFor(site, editor, { expiresInDays: 1 })
      site.clock.advance(86_400_001)
      return () => client.get('/api/entries')
    },
  },
  TOKEN_REVOKED: {
    prepare: async () => {
      const { id, client } = await agentFor(site, editor)
      assert.equal((await editor.client.delete(`/api/agent-keys/${id}`)).status, 204)
      return () => client.get('/api/entries')
    },
  },
  WRONG_CREDENTIAL_KIND: () => site.client({ token: deliveryKey }).get('/api/entries'),
  FORBIDDEN: () => editor.client.post('/api/types', { name: 'no', label: 'No' }),
  RANK_TOO_LOW: {
    prepare: async () => {
      const admin = await site.person('admin')
      const person = { email: 'high@example.test', name: 'High', role: 'owner', password: NEW_PASSWORD }
      return () => admin.client.post('/api/users', person)
    },
  },
  LAST_OWNER: () => owner.client.delete(`/api/users/${owner.id}`),
  AGENT_NOT_ALLOWED: {
    prepare: async () => {
      const { client } = await agentFor(site, owner)
      return () => client.get('/api/users')
    },
  },
  REAUTH_REQUIRED: () =>
    owner.client.post('/api/agent-keys', { name: 'X', grants: ['content.read'], password: 'wrong password' }),
  CSRF: {
    prepare: async () => {
      const client = site.client({ cookie: owner.token })
      return () => client.delete(`/api/entries/${entryId}`, { origin: 'https://evil.test' })
    },
  },
  NOT_FOUND: () => owner.client.delete(`/api/entries/${newId()}`),
  ROUTE_NOT_FOUND: () => owner.client.delete('/api/nothing'),
  PREVIEW_NOT_FOUND: () => site.client().get('/preview/none', { 'x-api-key': deliveryKey }),
  ASSISTANT_DISABLED: () => site.client().get('/ext/assistant/widget.js'),
  PREVIEW_UNREACHABLE: {
    prepare: async () => {
      // Plain http to a name that is not this machine: refused before anything is looked up.
      const { token } = (await owner.client.post(`/api/entries/${entryId}/preview`)).body
      return () => owner.client.post('/api/visual/page', { entryId, token })
    },
  },
  METHOD_NOT_ALLOWED: () => site.client().post('/content/article', {}, { 'x-api-key': deliveryKey }),
  UPGRADE_REQUIRED: () => site.client().get('/realtime'),
  UNSUPPORTED_VERSION: () => owner.client.get('/api/entries', { 'accept-version': '9.0' }),
  VERSION_CONFLICT: () => put({ title: 'Other' }, { 'if-match': '"v99"' }),
  NAME_TAKEN: () => owner.client.post('/api/types', { name: 'article', label: 'Again' }),
  SLUG_TAKEN: () => owner.client.post('/api/entries', { type: 'article', title: 'Second', slug: 'first' }),
  SINGLE_EXISTS: () => owner.client.post('/api/entries', { type: 'home', title: 'Another home' }),
  EMAIL_TAKEN: () =>
    owner.client.post('/api/users', { email: editor.email, name: 'E', role: 'viewer', password: NEW_PASSWORD }),
  MEDIA_IN_USE: {
    prepare: async () => {
      const id = await storeMedia()
      assert.equal((await put({ data: { cover: id } })).status, 200)
      return () => owner.client.delete(`/api/media/${id}`)
    },
  },
  TYPE_IN_USE: () => owner.client.delete('/api/types/article'),
  ALREADY_SET_UP: () => site.client().post('/api/auth/setup', { email: 'a@b.test', name: 'A', password: NEW_PASSWORD }),
  INVALID_STATE: () => owner.client.post(`/api/entries/${entryId}/status`, { action: 'unpublish' }),
  SOCIAL_APP_MISSING: () => owner.client.post('/api/social/accounts/mastodon/start'),
  APPROVAL_REQUIRED: () => owner.client.put('/api/plugins/curious/state', { enabled: true }),
  PAYLOAD_TOO_LARGE: () => owner.client.put('/api/settings', { title: 'x'.repeat(1_100_000) }),
  UNSUPPORTED_MEDIA: () =>
    owner.client.send('PUT', `/api/entries/${entryId}`, { body: '<a/>', headers: { 'content-type': 'text/xml' } }),
  RATE_LIMITED: {
    prepare: async () => {
      const client = site.client()
      const guess = () => client.get('/content', { 'x-api-key': `cms_${'x'.repeat(43)}` })
      for (let count = 0; count < 30; count += 1) await guess()
      return guess
    },
  },
  LOGIN_LIMITED: {
    prepare: async () => {
      const client = site.client()
      const login = () => client.post('/api/auth/login', { email: 'nobody@example.test', password: 'wrong password' })
      for (let count = 0; count < 10; count += 1) await login()
      return login
    },
  },
  AI_NOT_CONNECTED: {
    prepare: async () => {
      const { body } = await owner.client.post('/api/assistant/conversations', {})
      const path = `/api/assistant/conversations/${body.id}/messages`
      return () => owner.client.post(path, { text: 'Hello', clientId: newId() })
    },
  },
}

/**
 * Not to be had by one request to this service: tests of their own below, with plugins, with the assistant and its
 * providers, and with the health of the service.
 */
const apart = [
  'AI_NO_TOOLS',
  'AI_CONTEXT_FULL',
  'AI_MODEL_NOT_FOUND',
  'AI_RATE_LIMITED',
  'AI_BUDGET_SPENT',
  'AI_AUTH',
  'AI_QUOTA',
  'AI_OVERLOADED',
  'AI_REFUSED',
  'AI_TIMEOUT',
  'AI_UNREACHABLE',
  'AI_STREAM_INTERRUPTED',
  'AI_BAD_RESPONSE',
  'AI_PROVIDER_ERROR',
  'ASSISTANT_BUSY',
  'PROPOSAL_STALE',
  'PROPOSAL_CLOSED',
  'TICKET_INVALID',
  'ORIGIN_NOT_ALLOWED',
  'PLUGIN_REFUSED',
  'PLUGIN_FAILED',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies ErrorCode[]

/** Of the contract, and of parts that are not there yet: social posts. */
const later = ['SOCIAL_PROVIDER_ERROR'] as const

/** The status of each code as the contract has it. */
const contract: Record<number, readonly string[]> = {
  400: [
    'VALIDATION_FAILED',
    'INVALID_JSON',
    'RESERVED_SLUG',
    'SCHEDULE_IN_PAST',
    'SOCIAL_INVALID',
    'WEBHOOK_TARGET_REFUSED',
    'UNKNOWN_SECTION',
    'PLUGIN_REFUSED',
    'AI_NO_TOOLS',
    'AI_CONTEXT_FULL',
  ],
  401: [
    'AUTH_REQUIRED',
    'INVALID_CREDENTIALS',
    'INVALID_TOKEN',
    'TOKEN_EXPIRED',
    'TOKEN_REVOKED',
    'WRONG_CREDENTIAL_KIND',
    'TICKET_INVALID',
    'TOTP_REQUIRED',
    'TOTP_INVALID',
  ],
  403: [
    'FORBIDDEN',
    'RANK_TOO_LOW',
    'LAST_OWNER',
    'ORIGIN_NOT_ALLOWED',
    'AGENT_NOT_ALLOWED',
    'REAUTH_REQUIRED',
    'CSRF',
  ],
  404: ['NOT_FOUND', 'ROUTE_NOT_FOUND', 'PREVIEW_NOT_FOUND', 'ASSISTANT_DISABLED', 'AI_MODEL_NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  406: ['UNSUPPORTED_VERSION'],
  409: [
    'VERSION_CONFLICT',
    'SLUG_TAKEN',
    'NAME_TAKEN',
    'SINGLE_EXISTS',
    'MEDIA_IN_USE',
    'TYPE_IN_USE',
    'ALREADY_SET_UP',
    'INVALID_STATE',
    'EMAIL_TAKEN',
    'SOCIAL_APP_MISSING',
    'APPROVAL_REQUIRED',
    'ASSISTANT_BUSY',
    'PROPOSAL_STALE',
    'PROPOSAL_CLOSED',
  ],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA'],
  426: ['UPGRADE_REQUIRED'],
  429: ['RATE_LIMITED', 'LOGIN_LIMITED', 'AI_RATE_LIMITED', 'AI_BUDGET_SPENT'],
  500: ['INTERNAL'],
  502: [
    'AI_PROVIDER_ERROR',
    'AI_AUTH',
    'AI_QUOTA',
    'AI_OVERLOADED',
    'AI_REFUSED',
    'AI_TIMEOUT',
    'AI_UNREACHABLE',
    'AI_STREAM_INTERRUPTED',
    'AI_BAD_RESPONSE',
    'SOCIAL_PROVIDER_ERROR',
    'PREVIEW_UNREACHABLE',
    'PLUGIN_FAILED',
  ],
  503: ['AI_NOT_CONNECTED', 'UNAVAILABLE'],
}

const checkShape = (answer: CmsAnswer, code: ErrorCode): void => {
  assert.equal(answer.body?.code, code, `${answer.status} ${answer.text.slice(0, 300)}`)
  assert.equal(answer.status, catalogue[code].status)
  errorBody.strict().parse(answer.body)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.ok(answer.headers.get('x-request-id'))
}

test('every code of the contract is here or said to come later, and no other', () => {
  const listed = Object.entries(contract).flatMap(([status, codes]) => codes.map((code) => `${status} ${code}`))
  const known = errorCodes.map((code) => `${catalogue[code].status} ${code}`)
  const awaited = listed.filter((entry) => later.some((code) => entry.endsWith(` ${code}`)))
  assert.equal(awaited.length, later.length)
  assert.deepEqual([...known, ...awaited].sort(), listed.sort())
  const provoked = [...Object.keys(provocations), ...apart].sort()
  assert.deepEqual(provoked, [...errorCodes].sort())
})

describe('a refusal has its status and form, and changes nothing:', () => {
  for (const code of errorCodes) {
    const provocation = provocations[code]
    if (!provocation) continue
    test(code, async () => {
      const act = typeof provocation === 'function' ? provocation : await provocation.prepare()
      const earlier = await state()
      const answer = await act()
      checkShape(answer, code)
      assert.deepEqual(await state(), earlier)
      if (answer.status === 401) assert.ok(answer.headers.get('www-authenticate'))
      if (answer.status === 405) assert.match(answer.headers.get('allow') ?? '', /GET/)
      if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    })
  }
})

describe('outside of routes', () => {
  const upgrade = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
      const asked = request(new URL(path, site.url), {
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...headers,
        },
      })
      asked.on('error', reject)
      asked.on('upgrade', () => reject(new Error('it was opened')))
      asked.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
      })
      asked.end()
    })

  test('TICKET_INVALID', async () => {
    const { status, body } = await upgrade('/realtime?ticket=none', { 'x-forwarded-for': '10.9.9.1' })
    assert.deepEqual([status, body.code], [401, 'TICKET_INVALID'])
  })

  test('ORIGIN_NOT_ALLOWED', async () => {
    const { body } = await owner.client.post('/api/realtime/ticket')
    const headers = { origin: 'https://evil.test', 'x-forwarded-for': '10.9.9.2' }
    const { status, body: refusal } = await upgrade(`/realtime?ticket=${body.ticket}`, headers)
    assert.deepEqual([status, refusal.code], [403, 'ORIGIN_NOT_ALLOWED'])
  })
})

test('INTERNAL has the request ID and no reason', async () => {
  const broken = await startCms()
  const { client } = await broken.person('owner')
  await broken.cms.database.tx((tx) => tx.query({ text: 'alter table menu rename to gone_planted_name' }))
  const answer = await client.get('/api/menus')
  checkShape(answer, 'INTERNAL')
  assert.deepEqual(answer.body.details, { requestId: answer.headers.get('x-request-id') })
  assert.ok(!answer.text.includes('menu'))
  await broken.close()
})

const storeMedia = async (): Promise<string> => {
  const id = newId()
  const now = site.clock.now()
  await site.cms.database.tx((tx) =>
    tx
      .insertInto('media')
      .values({
        id,
        filename: 'a.png',
        blob_key: id,
        mime_type: 'image/png',
        size: 1,
        width: null,
        height: null,
        hash: 'hash',
        alt: '',
        is_decorative: false,
        caption: '',
        folder: '',
        focal_x: 0.5,
        focal_y: 0.5,
        words: 'a.png',
        created_at: now,
        created_by: null,
        updated_at: now,
        updated_by: null,
      })
      .execute(),
  )
  return id
}
