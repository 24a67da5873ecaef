import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { type FakeAnswer, jsonAnswer } from '@stoa/tests/lib/ai/fake-provider.ts'
import {
  type FakeOllama,
  MODEL,
  ollamaCall,
  ollamaDone,
  ollamaLine,
  ollamaStream,
  ollamaText,
  scriptModel,
  startFakeOllama,
} from '@stoa/tests/lib/fake-ollama.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { openAi } from './port.ts'
import type { Connected, ModelMessage } from './providers.ts'
import { type Cut, describeAnyCut, describeCuts } from './testing/cut-suite.ts'
import { assertFailed, QUICK, trier } from './testing/step-ground.ts'

let server: FakeOllama
let connected: Connected
let attempt: ReturnType<typeof trier>

before(async () => {
  server = await startFakeOllama()
})
after(() => server.close())
beforeEach(() => {
  connected = { kind: 'local', model: MODEL, baseUrl: server.url, credential: null, contextTokens: 16_384 }
  attempt = trier(connected)
  server.wire(null)
})

const wire = (answer: FakeAnswer) => server.wire(() => answer)
const text = ollamaText('Grüße')
const call = ollamaCall('list_entries', { type: 'article' }, 'c1')
const bytes = Buffer.from(text)
/** Inside the two bytes of the ü. */
const half = bytes.indexOf(0xc3) + 1

describe('a step with Ollama', () => {
  test('text comes as it is sent, and the result when the end was seen', async () => {
    server.model(scriptModel([{ text: ['Hel', 'lo'], tokens: { input: 7, output: 2 } }]))
    const { texts, result } = await attempt()
    assert.deepEqual(texts, ['Hel', 'lo'])
    const end = { text: 'Hello', calls: [], stop: 'end', usage: { input: 7, output: 2 }, replay: null }
    assert.deepEqual(result, end)
    assert.deepEqual(server.problems, [])
    const { options, tools } = server.chats.at(-1) ?? {}
    assert.deepEqual(options, { num_ctx: 16_384, num_predict: 256 })
    assert.equal(tools?.length, 1)
  })

  test('calls are read also from the line that says done, and get an id that no other has', async () => {
    const last = ollamaDone({
      message: {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'list_entries', arguments: '{"type":"page"}' } }],
      },
    })
    wire(ollamaStream([ollamaCall('list_entries', { type: 'article' }), last]))
    const { result } = await attempt()
    assert.equal(result?.stop, 'tools')
    assert.deepEqual(result?.calls, [
      { id: 'call_1', name: 'list_entries', args: { type: 'article' } },
      { id: 'call_2', name: 'list_entries', args: { type: 'page' } },
    ])
  })

  test('earlier messages and calls are sent again, results right after their calls', async () => {
    const calls = [
      { id: 'call_1', name: 'list_entries', args: { type: 'article' } },
      { id: 'call_2', name: 'list_entries', args: { type: 'page' } },
    ]
    const replay = { kind: 'local', model: MODEL, blocks: { thinking: 'hm' } } as const
    const results = calls.map(({ id, name }) => ({ callId: id, name, content: '{"total":0}', isError: false }))
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Look', pictures: [{ mime: 'image/jpeg', bytes: Buffer.from('jpeg') }] },
      { role: 'assistant', text: '', calls, replay },
      { role: 'tool', results },
    ]
    server.model(scriptModel([{ calls: [{ name: 'list_entries', args: { type: 'x' } }] }]))
    const { result } = await attempt({ messages })
    assert.equal(result?.calls[0]?.id, 'call_3')
    assert.deepEqual(server.problems, [])
    const sent = server.chats.at(-1)?.messages ?? []
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'tool'],
    )
    assert.deepEqual(sent[1], { role: 'user', content: 'Look', images: [Buffer.from('jpeg').toString('base64')] })
    assert.equal(sent[2]?.role === 'assistant' && sent[2].thinking, 'hm')
    const other = { ...connected, model: 'text-only' }
    server.wire(() => ollamaStream([ollamaDone()]))
    await trier(other)({ messages, tools: [] })
    const again = server.chats.at(-1)?.messages[2]
    assert.equal(again?.role === 'assistant' && again.thinking, undefined, 'another model does not get the thinking')
  })

  test('a text that is as long as it may be is a result, and its calls are none', async () => {
    const end = ollamaDone({ done_reason: 'length' })
    wire(ollamaStream([text, end]))
    assert.equal((await attempt()).result?.stop, 'length')
    wire(ollamaStream([text, call, end]))
    assertFailed(await attempt(), 'AI_BAD_RESPONSE')
  })

  test('more tokens than there can be are not believed', async () => {
    wire(ollamaStream([text, ollamaDone({ prompt_eval_count: 2 ** 52, eval_count: 2 ** 52 })]))
    assert.deepEqual((await attempt()).result?.usage, { input: 10_000_000, output: 10_000_000 })
  })

  test('tokens that are not reported are estimated', async () => {
    wire(ollamaStream([text, ollamaLine(MODEL, { done: true })]))
    const { usage } = (await attempt()).result ?? {}
    assert.ok(usage && usage.input > 0 && usage.output > 0)
  })

  test('Ollama’s cloud is asked with the key, at its own address', async () => {
    const cloud = await startFakeOllama({ apiKey: 'a key' })
    const ports = openAi('/admin', { aiHosts: { cloud: cloud.url }, aiTimeouts: QUICK })
    const by = (key: string) =>
      trier({ ...connected, kind: 'cloud', baseUrl: null, credential: { from: 'key', value: new Secret(key) } }, ports)
    cloud.model(scriptModel([{ text: 'yes' }]))
    assert.equal((await by('a key')()).result?.text, 'yes')
    const refused = assertFailed(await by('another')(), 'AI_AUTH')
    assert.equal(refused.providerText, 'unauthorized')
    await cloud.close()
  })
})

const CUTS: readonly Cut[] = [
  ['nothing', ollamaStream([]), 'AI_STREAM_INTERRUPTED'],
  ['after text', ollamaStream([text]), 'AI_STREAM_INTERRUPTED'],
  ['after text, broken off', ollamaStream([text], 'cut'), 'AI_STREAM_INTERRUPTED'],
  ['inside a line', ollamaStream([text, text.slice(0, 30)]), 'AI_STREAM_INTERRUPTED'],
  ['inside a character', ollamaStream([text, bytes.subarray(0, half)]), 'AI_STREAM_INTERRUPTED'],
  ['inside a call', ollamaStream([call.slice(0, -20)]), 'AI_STREAM_INTERRUPTED'],
  ['after a call', ollamaStream([text, call]), 'AI_STREAM_INTERRUPTED'],
  ['after a call, broken off', ollamaStream([text, call], 'cut'), 'AI_STREAM_INTERRUPTED'],
  ['an error after a call', ollamaStream([call, '{"error":"the runner died"}\n']), 'AI_PROVIDER_ERROR'],
  ['silence after text', ollamaStream([text, call], 'stall'), 'AI_TIMEOUT'],
  ['silence from the start', ollamaStream([new Promise(() => undefined)], 'stall'), 'AI_TIMEOUT'],
  ['no JSON', ollamaStream([text, 'oops\n', ollamaDone()]), 'AI_BAD_RESPONSE'],
  ['no UTF-8', ollamaStream([text, Buffer.from([0xff, 0xfe, 0x0a]), ollamaDone()]), 'AI_BAD_RESPONSE'],
  ['a line of another form', ollamaStream(['{"message":{"content":7}}\n', ollamaDone()]), 'AI_BAD_RESPONSE'],
  [
    'arguments without a bottom',
    ollamaStream([
      ollamaCall('list_entries', 'DEEP').replace('"DEEP"', `${'['.repeat(5e4)}${']'.repeat(5e4)}`),
      ollamaDone(),
    ]),
    'AI_BAD_RESPONSE',
  ],
  ['a call without a name', ollamaStream([ollamaCall('', {}), ollamaDone()]), 'AI_BAD_RESPONSE'],
  ['an unknown reason', ollamaStream([text, ollamaDone({ done_reason: 'load' })]), 'AI_BAD_RESPONSE'],
  ['100 MB of text', ollamaStream([ollamaText('x'.repeat(10_000))], { flood: 100e6 }), 'AI_BAD_RESPONSE'],
  ['100 MB of one line', ollamaStream(['x'.repeat(10_000)], { flood: 100e6 }), 'AI_BAD_RESPONSE'],
  ['a page', { headers: { 'content-type': 'text/html' }, pieces: ['<p>'] }, 'AI_BAD_RESPONSE'],
  ['a redirect', { status: 302, headers: { location: 'http://169.254.169.254/' }, pieces: [] }, 'AI_BAD_RESPONSE'],
  ['another’s 404', { status: 404, pieces: ['secret'] }, 'AI_BAD_RESPONSE'],
  ['no such model', jsonAnswer({ error: "model 'x' not found" }, 404), 'AI_MODEL_NOT_FOUND'],
  ['no tools', jsonAnswer({ error: 'x does not support tools' }, 400), 'AI_NO_TOOLS'],
  ['too long', jsonAnswer({ error: 'the input length exceeds the context length' }, 400), 'AI_CONTEXT_FULL'],
  ['too many', jsonAnswer({ error: 'busy' }, 429), 'AI_RATE_LIMITED', 3],
  ['too many, for long', jsonAnswer({ error: 'busy' }, 429, { 'retry-after': '600' }), 'AI_RATE_LIMITED', 1],
  ['overloaded', jsonAnswer({ error: 'busy' }, 503), 'AI_OVERLOADED', 3],
  ['a fault', jsonAnswer({ error: 'out of memory' }, 500), 'AI_PROVIDER_ERROR', 3],
]

describeCuts(
  'a step that Ollama did not end',
  () => ({ server, connected, ports: (aiTimeouts) => openAi('/admin', { aiTimeouts }) }),
  CUTS,
)

describeAnyCut(
  'Ollama',
  () => ({ server, connected, ports: (aiTimeouts) => openAi('/admin', { aiTimeouts }) }),
  // The last line end may be missing: the line says done by itself.
  { answer: ollamaStream([text, call, ollamaDone()]), spare: 1 },
)

describe('the way to Ollama', () => {
  test('nothing listens there', async () => {
    const gone = await startFakeOllama()
    await gone.close()
    assertFailed(await trier({ ...connected, baseUrl: gone.url })(), 'AI_UNREACHABLE')
  })

  test('no other private address than the one that was entered is reached', async () => {
    const elsewhere = openAi('/admin', { aiHosts: { cloud: server.url }, aiTimeouts: QUICK })
    const ports = { ai: { ...elsewhere.ai, egress: openAi('/admin', {}).ai.egress } }
    const cloud = trier({ ...connected, kind: 'cloud', baseUrl: null }, ports)
    const before = server.requests.length
    assertFailed(await cloud(), 'AI_UNREACHABLE')
    assert.equal(server.requests.length, before)
  })

  test('a second attempt may succeed, once nothing was answered', async () => {
    const answers = [jsonAnswer({ error: 'busy' }, 503), ollamaStream([text, ollamaDone()])]
    server.wire(() => answers.shift())
    const { result, texts } = await attempt()
    assert.deepEqual([result?.text, texts], ['Grüße', ['Grüße']])
  })

  test('it ends at once when it is aborted, with the given reason', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped')
    wire(ollamaStream([text], 'stall'))
    const { error, texts } = await attempt({ signal: stop.signal, onText: () => stop.abort(reason) })
    assert.deepEqual([error, texts], [reason, []])
    await until(() => server.open() === 0, 'the model is let go')
    const early = await attempt({ signal: AbortSignal.abort(reason) })
    assert.equal(early.error, reason)
  })
})
