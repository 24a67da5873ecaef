import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { scriptModel } from '@stoa/tests/lib/ai/script-model.ts'
import { type CmsService, type Person, PUBLIC_URL, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeAnthropic, startFakeAnthropic } from '@stoa/tests/lib/fake-anthropic.ts'
import { type FakeTokenServer, startFakeTokenServer } from '@stoa/tests/lib/fake-token-server.ts'
import { contextFor } from '../../context.ts'
import { readConnected } from './connection.ts'

let service: CmsService
let second: CmsService
let admin: Person
let tokens: FakeTokenServer
let anthropic: FakeAnthropic

before(async () => {
  tokens = await startFakeTokenServer({ clientId: 'client-1', clientSecret: 'hidden secret' })
  anthropic = await startFakeAnthropic({ token: () => tokens.accessToken() })
  const env = {
    AI_OAUTH_A_CLIENT_ID: 'client-1',
    AI_OAUTH_A_CLIENT_SECRET: 'hidden secret',
    AI_OAUTH_A_AUTHORIZE_URL: 'https://consent.example/authorize?prompt=yes',
    AI_OAUTH_A_TOKEN_URL: `${tokens.url}/token`,
    AI_OAUTH_A_SCOPES: 'one,two',
  }
  service = await startCms({ env, aiHosts: { a: anthropic.url } })
  second = await startCms({
    env,
    databaseUrl: service.databaseUrl,
    clock: service.clock,
    aiHosts: { a: anthropic.url },
  })
  admin = await service.person('admin')
})
after(async () => {
  await second.close()
  await service.close()
  await Promise.all([tokens.close(), anthropic.close()])
})
beforeEach(() => service.cms.database.pool.query('truncate ai_provider, ai_usage, oauth_state'))

const ctxOf = ({ cms }: CmsService) => contextFor(cms.services, { kind: 'system', name: 'test' } as const)
const start = async (body?: object): Promise<URLSearchParams> => {
  const answer = await admin.client.post('/api/ai/oauth/start', body)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.body.url.startsWith('https://consent.example/authorize?prompt=yes&'))
  return new URL(answer.body.url).searchParams
}
/** Comes back from the provider, as a browser without a session. */
const back = async (query: Record<string, string>): Promise<URL> => {
  const answer = await service.client().get(`/ai/oauth/callback?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const url = new URL(answer.headers.get('location') ?? '')
  assert.equal(`${url.origin}${url.pathname}`, `${PUBLIC_URL}/admin/settings/ai`)
  return url
}
const signIn = async () => {
  const params = await start()
  const code = tokens.issueCode(params.get('code_challenge') ?? '', params.get('redirect_uri') ?? '')
  return back({ state: params.get('state') ?? '', code })
}
const show = async () => (await admin.client.get('/api/ai')).body

describe('signing in at Anthropic', () => {
  test('is offered when a client is registered, and only then', async () => {
    assert.equal((await show()).oauthAvailable, true)
    const without = await startCms()
    const person = await without.person('admin')
    assert.equal((await person.client.get('/api/ai')).body.oauthAvailable, false)
    const refused = await person.client.post('/api/ai/oauth/start')
    assert.deepEqual([refused.status, refused.body.code], [409, 'INVALID_STATE'])
    await without.close()
  })

  test('connects with tokens that nobody is shown, and the model is asked with them', async () => {
    const params = await start({ model: 'claude-opus-5-5' })
    assert.equal(params.get('redirect_uri'), `${PUBLIC_URL}/ai/oauth/callback`)
    assert.deepEqual([params.get('scope'), params.get('code_challenge_method')], ['one two', 'S256'])
    const code = tokens.issueCode(params.get('code_challenge') ?? '', params.get('redirect_uri') ?? '')
    const url = await back({ state: params.get('state') ?? '', code })
    assert.equal(url.searchParams.get('connected'), 'claude-opus-5-5')
    const shown = await show()
    assert.deepEqual([shown.connected, shown.kind, shown.credential.from], [true, 'a', 'oauth'])
    const text = JSON.stringify((await service.cms.database.pool.query('select * from ai_provider')).rows)
    for (const secret of [tokens.accessToken(), 'hidden secret', code])
      assert.ok(!text.includes(secret) && !service.logs.join('').includes(secret))
    anthropic.model(scriptModel([{ text: 'Yes' }]))
    const { checks } = (await admin.client.post('/api/ai/test', { kind: 'a', model: 'claude-opus-5-5' })).body
    assert.deepEqual(
      checks.filter(({ ok }: { ok: boolean }) => ok).map(({ id }: { id: string }) => id),
      ['reach', 'auth', 'model', 'stream'],
    )
    assert.deepEqual(tokens.problems, [])
  })

  test('a state is valid once, for the person who began and may still connect', async () => {
    const given = tokens.grants().length
    const params = await start()
    const state = params.get('state') ?? ''
    for (const query of [{}, { state: 'unknown', code: 'x' }, { state: '' }] as Record<string, string>[])
      assert.equal((await back(query)).searchParams.get('aiError'), 'AI_STATE_INVALID')
    assert.equal((await back({ state, error: 'access_denied' })).searchParams.get('aiError'), 'AI_CONSENT_DENIED')
    const code = tokens.issueCode(params.get('code_challenge') ?? '', params.get('redirect_uri') ?? '')
    assert.equal((await back({ state, code })).searchParams.get('aiError'), 'AI_STATE_INVALID')
    const again = await start()
    await service.cms.database.pool.query("update account set role = 'editor' where id = $1", [admin.id])
    const late = await back({ state: again.get('state') ?? '', code })
    await service.cms.database.pool.query("update account set role = 'admin' where id = $1", [admin.id])
    assert.equal(late.searchParams.get('aiError'), 'AI_STATE_INVALID')
    assert.equal((await show()).connected, false)
    assert.equal(tokens.grants().length, given)
  })

  test('a code that the provider refuses connects nothing, and looking at the link takes nothing', async () => {
    const params = await start()
    const state = params.get('state') ?? ''
    const head = await service.client().send('HEAD', `/ai/oauth/callback?state=${state}&code=x`)
    assert.equal(head.status, 302)
    const url = await back({ state, code: 'never issued' })
    assert.equal(url.searchParams.get('aiError'), 'AI_AUTH')
    assert.equal((await show()).connected, false)
    tokens.problems.splice(0)
  })

  test('tokens that end soon are renewed once, also when many ask in two processes', async () => {
    await signIn()
    const before = tokens.accessToken()
    service.clock.advance(3_000_000)
    tokens.holdRefreshes()
    const asked = [service, second, service, second].map((one) => readConnected(ctxOf(one)))
    await tokens.untilRefreshing()
    tokens.releaseRefreshes()
    const values = (await Promise.all(asked)).map((connected) => connected?.credential?.value.reveal())
    assert.deepEqual(new Set(values), new Set([tokens.accessToken()]))
    assert.notEqual(tokens.accessToken(), before)
    assert.deepEqual(tokens.grants().slice(-2), ['authorization_code', 'refresh_token'])
    assert.equal((await show()).version, 1, 'it is no change that anybody made')
  })

  test('a sign-in that was taken back ends with AI_AUTH, and not before it is over', async () => {
    await signIn()
    tokens.revoke()
    service.clock.advance(3_000_000)
    assert.ok(await readConnected(ctxOf(service)), 'its last minutes are good')
    service.clock.advance(3_600_000)
    await assert.rejects(readConnected(ctxOf(service)), { code: 'AI_AUTH', status: 502 })
    assert.equal((await show()).connected, true)
    tokens.problems.splice(0)
  })
})
