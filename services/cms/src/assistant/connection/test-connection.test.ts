import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type FakeAnswer, jsonAnswer } from '@stoa/tests/lib/ai/fake-provider.ts'
import { type Model, type ScriptStep, scriptModel } from '@stoa/tests/lib/ai/script-model.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { ANTHROPIC_KEY, type FakeAnthropic, startFakeAnthropic } from '@stoa/tests/lib/fake-anthropic.ts'
import { connectOllama, type FakeOllama, MODEL, startFakeOllama } from '@stoa/tests/lib/fake-ollama.ts'
import { type FakeOpenAi, OPENAI_KEY, startFakeOpenAi } from '@stoa/tests/lib/fake-openai.ts'

let service: CmsService
let admin: Person
let ollama: FakeOllama
let anthropic: FakeAnthropic
let openai: FakeOpenAi

before(async () => {
  ;[ollama, anthropic, openai] = await Promise.all([startFakeOllama(), startFakeAnthropic(), startFakeOpenAi()])
  const aiHosts = { a: anthropic.url, b: openai.url }
  service = await startCms({ aiHosts, aiTimeouts: { retryMs: [] } })
  admin = await service.person('admin')
})
after(async () => {
  await service.close()
  await Promise.all([ollama.close(), anthropic.close(), openai.close()])
})
beforeEach(async () => {
  await service.cms.database.pool.query('truncate ai_provider, ai_usage')
  ollama.wire(null)
})

type Shown = { ok: boolean; assistant: boolean; fieldAssistant: boolean; checks: string[]; code: string | undefined }

const tryIt = async (body: object): Promise<Shown> => {
  const answer = await admin.client.post('/api/ai/test', body)
  assert.equal(answer.status, 200, answer.text)
  const { ok, assistant, fieldAssistant, checks, error } = answer.body
  const names = checks.map((check: { id: string; ok: boolean }) => `${check.ok ? '' : 'no '}${check.id}`)
  return { ok, assistant, fieldAssistant, checks: names, code: error?.code }
}
const local = () => ({ kind: 'local', model: MODEL, baseUrl: ollama.url })

/** Follows the instructions: calls the tool with the marker, and replies with its result. */
const obedient: Model = (messages) => {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { text: ['It says ', String(JSON.parse(last.content).echo)] }
  const marker = /marker "(cms-[0-9a-f]{12})"/.exec(last?.content ?? '')?.[1]
  return { calls: [{ name: 'cms_connection_check', args: { marker, step: 1 } }] }
}
const ALL = ['reach', 'auth', 'model', 'stream', 'tool_call', 'round_trip']
const GOOD: Shown = { ok: true, assistant: true, fieldAssistant: true, checks: ALL, code: undefined }

describe('the connection test', () => {
  test('each kind of provider passes with a model that follows the instructions', async () => {
    for (const fake of [ollama, anthropic, openai]) fake.model(obedient)
    assert.deepEqual(await tryIt(local()), GOOD)
    assert.deepEqual(await tryIt({ kind: 'a', model: 'm', apiKey: ANTHROPIC_KEY }), GOOD)
    assert.deepEqual(await tryIt({ kind: 'b', model: 'm', apiKey: OPENAI_KEY }), GOOD)
    for (const fake of [ollama, anthropic, openai]) assert.deepEqual(fake.problems, [])
    const [chat] = ollama.chats
    assert.deepEqual(
      chat?.tools?.map((tool) => tool.function.name),
      ['cms_connection_check'],
    )
    assert.equal(chat?.messages[0]?.content, 'Connection test. Use the tool as told.')
  })

  test('nothing that was entered is saved, and the tokens are counted', async () => {
    anthropic.model(obedient)
    await tryIt({ kind: 'a', model: 'm', apiKey: ANTHROPIC_KEY })
    const { body, text } = await admin.client.get('/api/ai')
    assert.deepEqual([body.connected, body.kind, body.lastTest], [false, null, null])
    assert.ok(!text.includes(ANTHROPIC_KEY) && !service.logs.join('').includes(ANTHROPIC_KEY))
    const { days } = (await admin.client.get('/api/ai/usage?days=1')).body
    assert.deepEqual(days, [{ day: '2026-03-01', feature: 'test', tokensIn: 240, tokensOut: 60, calls: 1 }])
  })

  test('the connection in use remembers its result until it is another one', async () => {
    ollama.model(scriptModel([{ text: 'I cannot call tools.' }]))
    await connectOllama(admin.client, ollama)
    await tryIt(local())
    const { lastTest, capabilities } = (await admin.client.get('/api/ai')).body
    assert.deepEqual([lastTest.ok, lastTest.at], [true, '2026-03-01T12:00:00.000Z'])
    assert.deepEqual(capabilities, { assistant: false, field: true })
    await connectOllama(admin.client, ollama, { model: 'another' })
    const after = (await admin.client.get('/api/ai')).body
    assert.deepEqual([after.lastTest, after.capabilities], [null, { assistant: true, field: true }])
  })

  test('an absent key is the stored one, of this kind alone', async () => {
    openai.model(obedient)
    await admin.client.put('/api/ai', { kind: 'b', model: 'm', apiKey: OPENAI_KEY })
    assert.equal((await tryIt({ kind: 'b', model: 'other' })).ok, true)
    const asked = anthropic.requests.length
    const none = { ok: false, assistant: false, fieldAssistant: false, checks: ['no auth'], code: 'AI_AUTH' }
    assert.deepEqual(await tryIt({ kind: 'a', model: 'm' }), none)
    assert.deepEqual(await tryIt({ kind: 'b', model: 'm', apiKey: '' }), none)
    assert.equal(anthropic.requests.length, asked)
  })

  test('a local model without tools is recognized by what the server reports, without a generation', async () => {
    const before = ollama.chats.length
    const shown = await tryIt({ ...local(), model: 'text-only' })
    assert.deepEqual([shown.ok, shown.assistant, shown.fieldAssistant], [true, false, true])
    assert.deepEqual(shown.checks, ['reach', 'auth', 'model', 'no tool_call'])
    assert.equal(ollama.chats.length, before)
    assert.deepEqual((await tryIt({ ...local(), model: 'missing' })).checks, ['reach', 'auth', 'no model'])
  })

  test('nothing listens there', async () => {
    const gone = await startFakeOllama()
    await gone.close()
    const answer = await admin.client.post('/api/ai/test', { ...local(), baseUrl: gone.url })
    assert.equal(answer.body.error.message, `No model server responded at ${gone.url}`)
    assert.equal(answer.body.checks[0].id, 'reach')
  })

  const steps: readonly (readonly [string, (ScriptStep | Model)[], Partial<Shown>])[] = [
    ['no call', [{ text: 'Hello' }], { ok: true, checks: [...ALL.slice(0, 4), 'no tool_call'] }],
    ['another tool', [{ calls: [{ name: 'other', args: {} }] }], { ok: true }],
    [
      'a wrong marker',
      [{ calls: [{ name: 'cms_connection_check', args: { marker: 'cms-0', step: 1 } }] }],
      { ok: true },
    ],
    ['two calls', [(...all) => ({ calls: [0, 1].flatMap(() => obedient(...all)?.calls ?? []) })], { ok: true }],
    ['no echo', [obedient, { text: 'Done.' }], { ok: true, checks: [...ALL.slice(0, 5), 'no round_trip'] }],
    ['nothing at all', [{ text: '' }], { ok: false, fieldAssistant: false, code: 'AI_BAD_RESPONSE' }],
    [
      'cut at first',
      [{ text: 'He', fault: 'end' }],
      { ok: false, fieldAssistant: false, code: 'AI_STREAM_INTERRUPTED' },
    ],
    [
      'cut later',
      [obedient, { text: 'It', fault: 'cut' }],
      { ok: false, fieldAssistant: false, code: 'AI_STREAM_INTERRUPTED' },
    ],
    ['silence', [{ text: 'He', fault: 'stall' }], { ok: false, fieldAssistant: false, code: 'AI_TIMEOUT' }],
    ['a fault', [{ text: 'He', fault: 'error' }], { ok: false, fieldAssistant: false, code: 'AI_PROVIDER_ERROR' }],
  ]
  for (const [name, script, expected] of steps)
    test(`${name}: the assistant is not offered`, async (context) => {
      const { timeouts } = service.cms.services.ai
      const { idleMs } = timeouts
      context.after(() => Object.assign(timeouts, { idleMs }))
      if (name === 'silence') Object.assign(timeouts, { idleMs: 500 })
      ollama.model(scriptModel(script))
      await connectOllama(admin.client, ollama)
      const shown = await tryIt(local())
      assert.equal(shown.assistant, false)
      assert.deepEqual({ ...shown, ...expected }, shown)
      assert.equal((await admin.client.get('/api/ai')).body.lastTest.ok, expected.ok)
      const [{ tokensIn, tokensOut }] = (await admin.client.get('/api/ai/usage')).body.days
      assert.ok(tokensIn > 0 && tokensOut > 0 && tokensIn + tokensOut < 3_000, 'what was used is counted')
    })

  test('a hosted model that is refused with tools still writes text', async () => {
    const refused: FakeAnswer = jsonAnswer(
      { error: { type: 'invalid_request_error', message: 'x does not support tools' } },
      400,
    )
    openai.wire(({ tools }) => (tools ? refused : undefined))
    openai.model(scriptModel([{ text: 'cms' }]))
    const shown = await tryIt({ kind: 'b', model: 'm', apiKey: OPENAI_KEY })
    openai.wire(null)
    assert.deepEqual([shown.ok, shown.assistant, shown.fieldAssistant], [true, false, true])
  })

  test('a wrong key is distinguished from an unreachable provider', async () => {
    const shown = await tryIt({ kind: 'a', model: 'm', apiKey: 'wrong' })
    assert.deepEqual([shown.checks, shown.code], [['reach', 'no auth'], 'AI_AUTH'])
  })

  test('with the day’s tokens spent it is not run', async () => {
    await connectOllama(admin.client, ollama, { limits: { userTokensPerDay: 100 } })
    const asked = ollama.requests.length
    const answer = await admin.client.post('/api/ai/test', local())
    assert.deepEqual([answer.status, answer.body.code], [429, 'AI_BUDGET_SPENT'])
    assert.equal(ollama.requests.length, asked)
  })
})
