import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { AppError } from '@stoa/kit/errors.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { connectOllama, type FakeOllama, startFakeOllama } from '@stoa/tests/lib/fake-ollama.ts'
import { contextFor } from '../../context.ts'
import { readConnected, requireConnected, reserveTokens, settleTokens, usedToday } from './connection.ts'

let service: CmsService
let second: CmsService
let admin: Person
let ollama: FakeOllama

before(async () => {
  service = await startCms()
  second = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
  ollama = await startFakeOllama()
  admin = await service.person('admin')
})
after(async () => {
  await second.close()
  await service.close()
  await ollama.close()
})
beforeEach(() =>
  service.cms.database.pool.query("truncate ai_provider, ai_usage; delete from activity where target_kind = 'ai'"),
)

const ctxOf = ({ cms }: CmsService) => contextFor(cms.services, { kind: 'system', name: 'test' } as const)
const show = async () => (await admin.client.get('/api/ai')).body
const put = (body: object, headers: Record<string, string> = {}) => admin.client.put('/api/ai', body, headers)
const stored = async () => (await service.cms.database.pool.query('select * from ai_provider')).rows[0]
const KEY = 'sk-ant-0123456789abcdef'

describe('the connection', () => {
  test('there is none until one is saved', async () => {
    const { connected, kind, version, limits } = await show()
    assert.deepEqual([connected, kind, version, limits.siteTokensPerDay], [false, null, 0, 2_000_000])
    assert.equal(await readConnected(ctxOf(service)), null)
    await assert.rejects(requireConnected(ctxOf(service)), { code: 'AI_NOT_CONNECTED', status: 503 })
  })

  test('a local server needs nothing but a model', async () => {
    assert.equal((await put({ kind: 'local', model: 'qwen3:8b' })).status, 200)
    const { connected, baseUrl, credential, version } = await show()
    assert.deepEqual([connected, baseUrl, credential, version], [true, 'http://127.0.0.1:11434', null, 1])
    await connectOllama(admin.client, ollama)
    assert.equal((await readConnected(ctxOf(second)))?.baseUrl, ollama.url)
  })

  test('a key is kept when it is not sent, cleared when it is empty, and never shown', async () => {
    const saved = await put({ kind: 'a', model: 'm', apiKey: KEY })
    assert.deepEqual(saved.body.credential, { from: 'key', last4: 'cdef' })
    assert.ok(!saved.text.includes(KEY) && !JSON.stringify(await stored()).includes(KEY))
    await put({ kind: 'a', model: 'another' })
    assert.equal((await readConnected(ctxOf(service)))?.credential?.value.reveal(), KEY)
    const cleared = await put({ kind: 'a', model: 'another', apiKey: '' })
    assert.deepEqual([cleared.body.connected, cleared.body.credential], [false, null])
    assert.ok(!service.logs.join('').includes(KEY))
  })

  test('another kind never gets the key of the one before', async () => {
    await put({ kind: 'a', model: 'm', apiKey: KEY })
    const { body } = await put({ kind: 'b', model: 'm' })
    assert.deepEqual([body.connected, body.credential], [false, null])
    assert.equal((await stored()).sealed, null)
    await put({ kind: 'a', model: 'm' })
    assert.equal(await readConnected(ctxOf(service)), null)
  })

  test('of a short key nothing is shown', async () => {
    const { body } = await put({ kind: 'cloud', model: 'm', apiKey: 'elevenchars' })
    assert.deepEqual(body.credential, { from: 'key', last4: '' })
  })

  const refused: readonly (readonly [string, object, string])[] = [
    ['an address for a hosted provider', { kind: 'a', model: 'm', baseUrl: 'http://127.0.0.1:1' }, 'baseUrl'],
    ['a key for a local server', { kind: 'local', model: 'm', apiKey: 'k' }, 'apiKey'],
    ['no http', { kind: 'local', model: 'm', baseUrl: 'ftp://host' }, 'baseUrl'],
    ['a password in the address', { kind: 'local', model: 'm', baseUrl: 'http://a:b@host:11434' }, 'baseUrl'],
    ['a query', { kind: 'local', model: 'm', baseUrl: 'http://host/?a=1' }, 'baseUrl'],
    ['the metadata of a cloud', { kind: 'local', model: 'm', baseUrl: 'http://169.254.169.254' }, 'baseUrl'],
    ['the same, written otherwise', { kind: 'local', model: 'm', baseUrl: 'http://[::ffff:a9fe:a9fe]' }, 'baseUrl'],
    ['every address', { kind: 'local', model: 'm', baseUrl: 'http://0.0.0.0:11434' }, 'baseUrl'],
    ['no model', { kind: 'local', model: ' ' }, 'model'],
    ['an unknown kind', { kind: 'c', model: 'm' }, 'kind'],
  ]
  for (const [name, body, key] of refused)
    test(`refused: ${name}`, async () => {
      await put({ kind: 'local', model: 'before' })
      const answer = await put(body)
      assert.deepEqual([answer.status, answer.body.details?.fields[0]?.key], [400, key])
      assert.deepEqual([(await show()).model, (await show()).version], ['before', 1])
    })

  test('of two concurrent changes, the second is rejected', async () => {
    await put({ kind: 'local', model: 'one' })
    assert.equal((await put({ kind: 'local', model: 'two' }, { 'if-match': '"v1"' })).status, 200)
    const late = await put({ kind: 'local', model: 'three', version: 1 })
    assert.deepEqual([late.status, late.body.code, late.body.details.version], [409, 'VERSION_CONFLICT', 2])
    const gone = await admin.client.send('DELETE', '/api/ai', { body: { version: 1 } })
    assert.equal(gone.status, 409)
    assert.equal((await show()).model, 'two')
  })

  test('disconnecting forgets the key, and keeps the limits', async () => {
    await put({ kind: 'b', model: 'm', apiKey: KEY, limits: { userTokensPerDay: 5 } })
    assert.equal((await admin.client.delete('/api/ai')).status, 204)
    const { connected, kind, credential, limits } = await show()
    assert.deepEqual([connected, kind, credential, limits.userTokensPerDay], [false, null, null, 5])
    assert.equal((await stored()).sealed, null)
    assert.equal((await admin.client.delete('/api/ai')).status, 204)
  })

  test('Activity says who connected and disconnected, and nothing of the key', async () => {
    await put({ kind: 'a', model: 'm', apiKey: KEY })
    await put({ kind: 'a', model: 'm', retentionDays: 30 })
    await put({ kind: 'a', model: 'm', retentionDays: 30 })
    await admin.client.delete('/api/ai')
    const { body, text } = await admin.client.get('/api/activity?targetKind=ai')
    assert.deepEqual(body.items.map((item: { action: string }) => item.action).reverse(), [
      'ai.connected',
      'ai.updated',
      'ai.disconnected',
    ])
    assert.ok(!text.includes(KEY) && text.includes('Anthropic (m)'))
  })
})

describe('the daily limits', () => {
  const mine = (estimate: number) => ({ feature: 'assistant', accountId: admin.id, estimate }) as const
  const limit = (limits: object) => put({ kind: 'local', model: 'm', limits })

  test('what was set aside counts until it is settled, then what was used', async () => {
    const ctx = ctxOf(service)
    const receipt = await reserveTokens(ctx, mine(1_000))
    assert.deepEqual(await usedToday(ctx, admin.id), { used: 1_000, limit: 300_000 })
    await settleTokens(ctx, receipt, { input: 400, output: 50 })
    assert.equal((await usedToday(ctx, admin.id)).used, 450)
    await settleTokens(ctx, await reserveTokens(ctx, mine(1_000)), null)
    assert.equal((await usedToday(ctx, admin.id)).used, 450)
  })

  test('many at once in two processes take no more than there is', async () => {
    await limit({ userTokensPerDay: 1_000 })
    const tries = Array.from({ length: 12 }, (_, n) => reserveTokens(ctxOf(n % 2 ? service : second), mine(300)))
    const results = await Promise.allSettled(tries)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
    const refusal = results.find((result) => result.status === 'rejected')?.reason
    assert.ok(refusal instanceof AppError)
    assert.deepEqual([refusal.code, refusal.status, refusal.details?.scope], ['AI_BUDGET_SPENT', 429, 'person'])
    assert.equal(refusal.headers?.['retry-after'], String(12 * 3_600))
    assert.equal((await usedToday(ctxOf(service), admin.id)).used, 900)
  })

  test('each of the three limits holds, and a new day begins anew', async () => {
    const ctx = ctxOf(service)
    await limit({ siteTokensPerDay: 500, userTokensPerDay: 400, visitorTokensPerDay: 100 })
    const visitor = (estimate: number) => ({ feature: 'visitor', accountId: null, estimate }) as const
    const spent = (scope: string) => (error: unknown) => error instanceof AppError && error.details?.scope === scope
    await reserveTokens(ctx, visitor(100))
    await assert.rejects(reserveTokens(ctx, visitor(1)), spent('visitors'))
    await reserveTokens(ctx, mine(400))
    const other = await service.person('editor')
    await assert.rejects(reserveTokens(ctx, { ...mine(1), accountId: other.id }), spent('site'))
    await limit({ siteTokensPerDay: 10_000 })
    await assert.rejects(reserveTokens(ctx, mine(1)), spent('person'))
    service.clock.advance(86_400_000)
    await reserveTokens(ctx, mine(400))
  })
})
