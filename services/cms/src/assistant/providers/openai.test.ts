import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { scriptModel } from '@stoa/tests/lib/ai/script-model.ts'
import {
  type FakeOpenAi,
  OPENAI_KEY,
  openAiCall,
  openAiCreated,
  openAiEnd,
  openAiError,
  openAiEvent,
  openAiStream,
  openAiText,
  startFakeOpenAi,
} from '@stoa/tests/lib/fake-openai.ts'
import { openAi } from './port.ts'
import type { Connected, ModelMessage } from './providers.ts'
import { type Cut, describeAnyCut, describeCuts } from './testing/cut-suite.ts'
import { assertFailed, QUICK, trier } from './testing/step-ground.ts'

let server: FakeOpenAi
const connected: Connected = {
  kind: 'b',
  model: 'gpt-5.6',
  baseUrl: null,
  credential: { from: 'key', value: new Secret(OPENAI_KEY) },
  contextTokens: 32_768,
}
const ports = (aiTimeouts = QUICK) => openAi('/admin', { aiHosts: { b: server.url }, aiTimeouts })
const attempt = (changes: Partial<Connected> = {}) => trier({ ...connected, ...changes }, ports())

before(async () => {
  server = await startFakeOpenAi()
})
after(() => server.close())
beforeEach(() => server.wire(null))

const list = { name: 'list_entries', args: { type: 'article' } }

describe('a step with OpenAI', () => {
  test('text comes as it is sent, and the result when the end was seen', async () => {
    server.model(scriptModel([{ text: ['Hel', 'lo'], tokens: { input: 7, output: 2 } }]))
    const { texts, result } = await attempt()()
    assert.deepEqual(texts, ['Hel', 'lo'])
    assert.deepEqual([result?.text, result?.stop, result?.usage], ['Hello', 'end', { input: 7, output: 2 }])
    assert.deepEqual(server.problems, [])
  })

  test('calls and results go on in the next step, with the reasoning as it was', async () => {
    const steps = [
      { thinking: 'I look', text: 'Let me look.', calls: [list, { name: 'list_entries' }] },
      { text: 'None.' },
    ]
    server.model(scriptModel(steps))
    const first = (await attempt()()).result
    assert.equal(first?.stop, 'tools')
    assert.deepEqual(
      first?.calls.map(({ args }) => args),
      [{ type: 'article' }, {}],
    )
    const results = (first?.calls ?? []).map(({ id, name }) => ({ callId: id, name, content: '{}', isError: false }))
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Look', pictures: [{ mime: 'image/jpeg', bytes: Buffer.from('jpeg') }] },
      {
        role: 'assistant',
        text: first?.text ?? '',
        calls: first?.calls ?? [],
        replay: JSON.parse(JSON.stringify(first?.replay)),
      },
      { role: 'tool', results },
    ]
    assert.equal((await attempt()({ messages })).result?.text, 'None.')
    assert.deepEqual(server.problems, [])
    await attempt({ model: 'gpt-5.4' })({ messages })
    assert.match(server.problems.splice(0).join(), /without its required reasoning item/)
  })

  test('another model gets the messages and calls, and no reasoning', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Look' },
      {
        role: 'assistant',
        text: 'I look.',
        calls: [{ id: 'c1', name: 'list_entries', args: { type: 'page' } }],
        replay: { kind: 'a', model: connected.model, blocks: [{ type: 'thinking' }] },
      },
      { role: 'tool', results: [{ callId: 'c1', name: 'list_entries', content: 'no', isError: true }] },
    ]
    server.model(scriptModel([{ text: 'Yes.' }]))
    assert.equal((await attempt({ model: 'gpt-4.1' })({ messages })).result?.text, 'Yes.')
    assert.deepEqual(server.problems, [])
    assert.deepEqual(server.bodies.at(-1)?.input[1], {
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I look.' }],
    })
  })

  test('a text that is as long as it may be is a result, and a wrong key is reported', async () => {
    server.model(scriptModel([{ text: 'Lon', isCutShort: true }]))
    assert.equal((await attempt()()).result?.stop, 'length')
    const wrong = { from: 'key', value: new Secret('wrong') } as const
    assert.match(String(assertFailed(await attempt({ credential: wrong })(), 'AI_AUTH').providerText), /Incorrect/)
  })
})

const text = openAiText(0, ['Grüße'])
const call = openAiCall(1, 'c1', 'list_entries', '{"type":"article"}')
const bytes = Buffer.from(text[1] ?? '')
const half = bytes.subarray(0, bytes.indexOf(0xc3) + 1)
const said = [openAiCreated, ...text]
const incomplete = (reason: string | null) =>
  openAiEnd('incomplete', { incomplete_details: reason === null ? null : { reason } })
const refusal = openAiEvent('response.refusal.delta', { output_index: 0, item_id: 'msg_1', delta: 'I cannot' })
const INTERRUPTED = 'AI_STREAM_INTERRUPTED'

const CUTS: readonly Cut[] = [
  ['nothing', openAiStream([]), INTERRUPTED],
  ['in the text', openAiStream([openAiCreated, ...text.slice(0, 2)]), INTERRUPTED],
  ['in the text, broken off', openAiStream([openAiCreated, ...text.slice(0, 2)], 'cut'), INTERRUPTED],
  ['inside a character', openAiStream([openAiCreated, half]), INTERRUPTED],
  ['inside a line', openAiStream([...said, 'event: response.completed\ndata: {"ty']), INTERRUPTED],
  ['inside the arguments', openAiStream([...said, ...call.slice(0, 2)]), INTERRUPTED],
  ['after the arguments', openAiStream([...said, ...call.slice(0, 3)]), INTERRUPTED],
  ['after a call', openAiStream([...said, ...call]), INTERRUPTED],
  ['after a call, broken off', openAiStream([...said, ...call], 'cut'), INTERRUPTED],
  [
    'an error event',
    openAiStream([...said, ...call, openAiEvent('error', { code: 'server_error', message: 'It failed', param: null })]),
    'AI_PROVIDER_ERROR',
  ],
  [
    'an error event, nested',
    openAiStream([
      ...said,
      openAiEvent('error', { error: { type: 'x', code: 'rate_limit_exceeded', message: 'slow' } }),
    ]),
    'AI_RATE_LIMITED',
  ],
  [
    'a failed response',
    openAiStream([...said, ...call, openAiEnd('failed', { error: { code: 'insufficient_quota', message: 'no' } })]),
    'AI_QUOTA',
  ],
  ['silence after a call', openAiStream([...said, ...call], 'stall'), 'AI_TIMEOUT'],
  [
    '100 MB',
    openAiStream([...said, openAiEvent('response.output_text.delta', { delta: 'x'.repeat(9_000) })], { flood: 100e6 }),
    'AI_BAD_RESPONSE',
  ],
  [
    'a call that is not closed',
    openAiStream([...said, ...call.slice(0, 3), openAiEnd('completed')]),
    'AI_BAD_RESPONSE',
  ],
  [
    'a call that is incomplete',
    openAiStream([...said, (call[3] ?? '').replace('"completed"', '"incomplete"'), openAiEnd('completed')]),
    'AI_BAD_RESPONSE',
  ],
  ['a call cut by the length', openAiStream([...said, ...call, incomplete('max_output_tokens')]), 'AI_BAD_RESPONSE'],
  ['incomplete without a reason', openAiStream([...said, ...call, incomplete(null)]), 'AI_BAD_RESPONSE'],
  ['incomplete for a new reason', openAiStream([...said, ...call, incomplete('weird')]), 'AI_BAD_RESPONSE'],
  ['a filter', openAiStream([...said, incomplete('content_filter')]), 'AI_REFUSED'],
  ['a refusal', openAiStream([openAiCreated, refusal, openAiEnd('completed')]), 'AI_REFUSED'],
  ['a refusal beside a call', openAiStream([openAiCreated, refusal, ...call, openAiEnd('completed')]), 'AI_REFUSED'],
  ['no JSON', openAiStream(['data: secret\n\n', ...said, openAiEnd('completed')]), 'AI_BAD_RESPONSE'],
  ['a page', { headers: { 'content-type': 'application/json' }, pieces: ['{"secret":1}'] }, 'AI_BAD_RESPONSE'],
  ['no such model', openAiError(404, { code: 'model_not_found', message: 'no' }), 'AI_MODEL_NOT_FOUND'],
  ['too long', openAiError(400, { code: 'context_length_exceeded', message: 'long' }), 'AI_CONTEXT_FULL'],
  ['no credit', openAiError(429, { code: 'insufficient_quota', message: 'You exceeded your quota' }), 'AI_QUOTA', 1],
  ['too many', openAiError(429, { code: 'rate_limit_exceeded', message: 'slow' }), 'AI_RATE_LIMITED', 3],
  ['a fault', openAiError(500, { type: 'server_error', message: 'It failed' }), 'AI_PROVIDER_ERROR', 3],
]

describeCuts('a step that OpenAI did not end', () => ({ server, connected, ports }), CUTS)

describeAnyCut('OpenAI', () => ({ server, connected, ports }), {
  answer: openAiStream([...said, ...call, openAiEnd('completed')]),
})
