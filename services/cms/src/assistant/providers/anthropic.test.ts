import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { scriptModel } from '@stoa/tests/lib/ai/script-model.ts'
import {
  ANTHROPIC_KEY,
  ANTHROPIC_TOKEN,
  anthropicCall,
  anthropicDelta,
  anthropicError,
  anthropicEvent,
  anthropicStart,
  anthropicStop,
  anthropicStream,
  anthropicText,
  type FakeAnthropic,
  startFakeAnthropic,
} from '@stoa/tests/lib/fake-anthropic.ts'
import { openAi } from './port.ts'
import type { Connected, ModelMessage } from './providers.ts'
import { type Cut, describeAnyCut, describeCuts } from './testing/cut-suite.ts'
import { assertFailed, QUICK, trier } from './testing/step-ground.ts'

let server: FakeAnthropic
const connected: Connected = {
  kind: 'a',
  model: 'claude-sonnet-5-5',
  baseUrl: null,
  credential: { from: 'key', value: new Secret(ANTHROPIC_KEY) },
  contextTokens: 32_768,
}
const ports = (aiTimeouts = QUICK) => openAi('/admin', { aiHosts: { a: server.url }, aiTimeouts })
const attempt = (changes: Partial<Connected> = {}) => trier({ ...connected, ...changes }, ports())

before(async () => {
  server = await startFakeAnthropic()
})
after(() => server.close())
beforeEach(() => server.wire(null))

const list = { name: 'list_entries', args: { type: 'article' } }

describe('a step with Anthropic', () => {
  test('text comes as it is sent, and the result when the end was seen', async () => {
    server.model(scriptModel([{ text: ['Hel', 'lo'] }]))
    const { texts, result } = await attempt()()
    assert.deepEqual(texts, ['Hel', 'lo'])
    assert.deepEqual([result?.text, result?.stop, result?.usage], ['Hello', 'end', { input: 120, output: 30 }])
    assert.deepEqual(server.problems, [])
  })

  test('calls and results go on in the next step, with the thoughts as they were', async () => {
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
    const results = (first?.calls ?? []).map(({ id, name }, n) => ({
      callId: id,
      name,
      content: '{}',
      isError: n === 1,
    }))
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
    server.wire(() => anthropicStream([anthropicStart, anthropicDelta('end_turn'), anthropicStop]))
    await attempt({ model: 'claude-haiku-5-5' })({ messages })
    assert.deepEqual(server.problems.splice(0), ['thinking blocks in the latest assistant message cannot be modified'])
  })

  test('another model gets the messages and calls, and no thinking blocks', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Look' },
      {
        role: 'assistant',
        text: ' ',
        calls: [{ id: 'c1', name: 'list_entries', args: 'no JSON' }],
        replay: { kind: 'b', model: connected.model, blocks: [{ type: 'reasoning' }] },
      },
      { role: 'tool', results: [{ callId: 'c1', name: 'list_entries', content: 'no', isError: true }] },
      { role: 'assistant', text: '', calls: [], replay: null },
      { role: 'user', text: 'Again' },
    ]
    server.model(scriptModel([{ text: 'Yes.' }]))
    server.wire((body) => {
      assert.deepEqual(body.messages[1], {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'list_entries', input: { value: 'no JSON' } }],
      })
      return undefined
    })
    const { result, error } = await attempt()({ messages })
    assert.equal(result?.text, 'Yes.', String(error))
  })

  test('an OAuth token is sent as such, and a wrong key is reported', async () => {
    server.model(scriptModel([{ text: 'Yes.' }]))
    const signedIn = { from: 'oauth', value: new Secret(ANTHROPIC_TOKEN) } as const
    assert.equal((await attempt({ credential: signedIn })()).result?.text, 'Yes.')
    const wrong = { from: 'key', value: new Secret('wrong') } as const
    assert.equal(assertFailed(await attempt({ credential: wrong })(), 'AI_AUTH').providerText, 'invalid x-api-key')
  })

  test('pings, comments, unknown events and CRLF are understood', async () => {
    const [start = '', ...rest] = anthropicText(0, ['Hi'])
    const pieces = [
      anthropicStart,
      ': note\n\n',
      anthropicEvent('ping'),
      anthropicEvent('new_kind', { a: 1 }),
      start,
      ...rest,
    ]
    const all = [...pieces, anthropicDelta('end_turn'), anthropicStop].join('').replaceAll('\n', '\r\n')
    const bytes = Buffer.from(all)
    const single = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) => bytes.subarray(n * 7, n * 7 + 7))
    server.wire(() => anthropicStream(single))
    assert.equal((await attempt()()).result?.text, 'Hi')
  })

  test('what no database holds is taken out, and a character in halves is put together', async () => {
    const raw = (text: string) =>
      text.replaceAll('NUL', '\\u0000').replaceAll('HIGH', '\\ud83d').replaceAll('LOW', '\\ude00')
    const call = anthropicCall(1, 'toolu_1', 'list_entries', ['{"tNULype":"aNULrticleHIGH"}'].map(raw))
    const pieces = [anthropicStart, ...anthropicText(0, ['aNULb HIGH', 'LOW HIGH']).map(raw), ...call]
    server.wire(() => anthropicStream([...pieces, anthropicDelta('tool_use'), anthropicStop]))
    const { texts, result } = await attempt()()
    assert.deepEqual([texts, result?.text], [['ab ', '\u{1f600} ', '\ufffd'], 'ab \u{1f600} \ufffd'])
    assert.deepEqual(result?.calls[0]?.args, { type: 'article\ufffd' })
    assert.equal(result?.replay, null)
  })

  test('a text that is as long as it may be is a result; its thoughts are kept', async () => {
    server.model(scriptModel([{ text: 'Lon', isCutShort: true, thinking: 'hm' }]))
    const { result } = await attempt()()
    assert.equal(result?.stop, 'length')
    assert.equal(Array.isArray(result?.replay?.blocks) && result.replay.blocks.length, 2)
  })
})

const text = anthropicText(0, ['Grüße'])
const call = anthropicCall(1, 'toolu_1', 'list_entries', ['{"type":', '"article"}'])
const bytes = Buffer.from(text[1] ?? '')
const half = bytes.subarray(0, bytes.indexOf(0xc3) + 1)
const end = (reason: string | null) => [anthropicDelta(reason), anthropicStop]
const said = [anthropicStart, ...text]
const failing = (type: string) => anthropicEvent('error', { error: { type, message: 'It failed' } })
const INTERRUPTED = 'AI_STREAM_INTERRUPTED'

const CUTS: readonly Cut[] = [
  ['nothing', anthropicStream([]), INTERRUPTED],
  ['in the text', anthropicStream([anthropicStart, ...text.slice(0, 2)]), INTERRUPTED],
  ['in the text, broken off', anthropicStream([anthropicStart, ...text.slice(0, 2)], 'cut'), INTERRUPTED],
  ['inside a character', anthropicStream([anthropicStart, text[0] ?? '', half]), INTERRUPTED],
  ['inside a line', anthropicStream([...said, 'data: {"type":"mess']), INTERRUPTED],
  [
    'before the blank line of the end',
    anthropicStream([...said, anthropicDelta('end_turn'), anthropicStop.slice(0, -2)]),
    INTERRUPTED,
  ],
  ['inside the arguments', anthropicStream([...said, ...call.slice(0, 2)]), INTERRUPTED],
  ['after a call', anthropicStream([...said, ...call]), INTERRUPTED],
  ['after a call, broken off', anthropicStream([...said, ...call], 'cut'), INTERRUPTED],
  [
    'between message_delta and message_stop',
    anthropicStream([...said, ...call, anthropicDelta('tool_use')]),
    INTERRUPTED,
  ],
  ['an end without a reason', anthropicStream([...said, ...call, anthropicStop]), INTERRUPTED],
  ['a reason of null', anthropicStream([...said, ...call, ...end(null)]), INTERRUPTED],
  ['an error first', anthropicStream([failing('overloaded_error')]), 'AI_OVERLOADED'],
  ['an error after a call', anthropicStream([...said, ...call, failing('api_error')]), 'AI_PROVIDER_ERROR'],
  ['silence after a call', anthropicStream([...said, ...call], 'stall'), 'AI_TIMEOUT'],
  ['silence from the start', anthropicStream([], 'stall'), 'AI_TIMEOUT'],
  [
    '100 MB',
    anthropicStream(
      [
        ...said,
        anthropicEvent('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'x'.repeat(9_000) } }),
      ],
      { flood: 100e6 },
    ),
    'AI_BAD_RESPONSE',
  ],
  ['100 MB of pings', anthropicStream([anthropicEvent('ping')], { flood: 100e6 }), 'AI_BAD_RESPONSE'],
  [
    'a call that is not closed',
    anthropicStream([...said, ...call.slice(0, -1), ...end('tool_use')]),
    'AI_BAD_RESPONSE',
  ],
  ['a call cut by the length', anthropicStream([...said, ...call, ...end('max_tokens')]), 'AI_BAD_RESPONSE'],
  ['tools without a call', anthropicStream([...said, ...end('tool_use')]), 'AI_BAD_RESPONSE'],
  [
    'one id for two calls',
    anthropicStream([anthropicStart, ...call, ...anthropicCall(2, 'toolu_1', 'x', []), ...end('tool_use')]),
    'AI_BAD_RESPONSE',
  ],
  ['a pause', anthropicStream([...said, ...call, ...end('pause_turn')]), 'AI_BAD_RESPONSE'],
  ['a refusal', anthropicStream([...said, ...call, ...end('refusal')]), 'AI_REFUSED'],
  ['a full window', anthropicStream([...said, ...end('model_context_window_exceeded')]), 'AI_CONTEXT_FULL'],
  ['no JSON', anthropicStream(['data: secret\n\n', ...said, ...end('end_turn')]), 'AI_BAD_RESPONSE'],
  ['no UTF-8', anthropicStream([Buffer.from([0x64, 0xff, 0x0a]), ...said, ...end('end_turn')]), 'AI_BAD_RESPONSE'],
  ['a page', { headers: { 'content-type': 'text/html' }, pieces: ['<p>'] }, 'AI_BAD_RESPONSE'],
  ['a bare 403', { status: 403, pieces: ['secret'] }, 'AI_AUTH'],
  ['no such model', anthropicError(404, 'not_found_error', 'model: x'), 'AI_MODEL_NOT_FOUND'],
  ['too long', anthropicError(400, 'invalid_request_error', 'prompt is too long: 9 > 8'), 'AI_CONTEXT_FULL'],
  ['too large', anthropicError(413, 'request_too_large', 'too large'), 'AI_CONTEXT_FULL'],
  ['no credit', anthropicError(400, 'invalid_request_error', 'Your credit balance is too low'), 'AI_QUOTA'],
  [
    'spent',
    anthropicError(429, 'rate_limit_error', 'limit', { details: { error_code: 'enforced_spend_limit_reached' } }),
    'AI_QUOTA',
  ],
  ['another fault of ours', anthropicError(400, 'invalid_request_error', 'x'.repeat(5_000)), 'AI_PROVIDER_ERROR'],
  ['too many', anthropicError(429, 'rate_limit_error', 'limit'), 'AI_RATE_LIMITED', 3],
  [
    'too many, for long',
    anthropicError(429, 'rate_limit_error', 'limit', { headers: { 'retry-after': '60' } }),
    'AI_RATE_LIMITED',
    1,
  ],
  ['overloaded', anthropicError(529, 'overloaded_error', 'Overloaded'), 'AI_OVERLOADED', 3],
  ['a gateway', { status: 502, pieces: ['<html>'] }, 'AI_PROVIDER_ERROR', 3],
]

describeCuts('a step that Anthropic did not end', () => ({ server, connected, ports }), CUTS)

describeAnyCut('Anthropic', () => ({ server, connected, ports }), {
  answer: anthropicStream([...said, ...call, ...end('tool_use')]),
})
