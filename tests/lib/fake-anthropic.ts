import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type FakeAnswer, type FakeProvider, jsonAnswer, startFakeProvider } from './ai/fake-provider.ts'
import { type Model, type ScriptMessage, type ScriptStep, textsOf } from './ai/script-model.ts'

const cached = z.strictObject({ type: z.literal('ephemeral') })
const said = z.string().refine((text) => text.trim() !== '', 'text content blocks must contain non-whitespace text')
const userBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: said }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.base64().min(1) }),
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.literal(true).optional(),
  }),
])
const ownBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: said }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
])
const wireMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.array(userBlock).min(1) }),
  z.strictObject({ role: z.literal('assistant'), content: z.array(ownBlock).min(1) }),
])
type WireMessage = z.infer<typeof wireMessage>

/** Other members are refused: sampling parameters are an error in newer versions of the API. */
const body = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  stream: z.literal(true),
  system: z
    .array(z.strictObject({ type: z.literal('text'), text: said, cache_control: cached }))
    .length(1)
    .optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().min(1),
        input_schema: z.looseObject({ type: z.literal('object') }),
        cache_control: cached.optional(),
      }),
    )
    .min(1)
    .refine((tools) => tools.every((tool, n) => (tool.cache_control !== undefined) === (n === tools.length - 1)))
    .optional(),
  messages: z.array(wireMessage).min(1),
})
export type AnthropicBody = z.infer<typeof body>

export type FakeAnthropic = FakeProvider & {
  model(model: Model): void
  /** Sends a raw response in place of the model's. */
  wire(answer: ((body: AnthropicBody) => FakeAnswer | undefined) | null): void
  readonly bodies: readonly AnthropicBody[]
}

export const ANTHROPIC_KEY = 'sk-ant-of-the-tests-0001'
/** The token that a sign-in returns instead of a key. */
export const ANTHROPIC_TOKEN = 'sk-ant-oat-of-the-tests'

/** A strict Anthropic: version, key, order of results, and thoughts that come back as they were. */
export const startFakeAnthropic = async (
  accepts: { key?: string; token?: () => string } = {},
): Promise<FakeAnthropic> => {
  const { key = ANTHROPIC_KEY, token = () => ANTHROPIC_TOKEN } = accepts
  const bodies: AnthropicBody[] = []
  /** The content that a call was part of, by the id of the call. */
  const emitted = new Map<string, unknown>()
  let model: Model = () => null
  let wire: (body: AnthropicBody) => FakeAnswer | undefined = () => undefined
  const refuse = (problem: string): FakeAnswer => {
    server.problems.push(problem)
    return anthropicError(400, 'invalid_request_error', problem)
  }
  const server = await startFakeProvider(({ path, method, headers, json }) => {
    if (path !== '/v1/messages' || method !== 'POST') return refuse(`${method} ${path} is no address of Anthropic`)
    if (headers['anthropic-version'] !== '2023-06-01') return refuse('anthropic-version: header is required')
    const isToken =
      headers.authorization === `Bearer ${token()}` &&
      headers['anthropic-beta'] === 'oauth-2025-04-20' &&
      headers['x-api-key'] === undefined
    if (headers['x-api-key'] !== key && !isToken)
      return anthropicError(401, 'authentication_error', 'invalid x-api-key')
    const parsed = body.safeParse(json)
    if (!parsed.success) return refuse(z.prettifyError(parsed.error))
    const problem = orderProblem(parsed.data.messages) ?? thoughtsProblem(parsed.data.messages, emitted)
    if (problem !== null) return refuse(problem)
    bodies.push(parsed.data)
    const written = wire(parsed.data)
    if (written) return written
    const step = model(
      toScript(parsed.data),
      (parsed.data.tools ?? []).map(({ name }) => name),
    )
    return step ? answerOf(step, emitted) : refuse('the script of the model is over')
  })
  return Object.assign(server, {
    bodies,
    model(next: Model) {
      model = next
    },
    wire(next: ((body: AnthropicBody) => FakeAnswer | undefined) | null) {
      wire = next ?? (() => undefined)
    },
  })
}

export const anthropicError = (
  status: number,
  type: string,
  message: string,
  { headers = {}, ...members }: { headers?: Record<string, string>; details?: unknown } = {},
): FakeAnswer =>
  jsonAnswer({ type: 'error', error: { type, message, ...members }, request_id: 'req_1' }, status, headers)

export const anthropicStream = (pieces: FakeAnswer['pieces'], ending: FakeAnswer['ending'] = 'end'): FakeAnswer => ({
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  pieces,
  ending,
})

export const anthropicEvent = (type: string, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`

export const anthropicStart = anthropicEvent('message_start', {
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 100, cache_read_input_tokens: 20, output_tokens: 1 },
  },
})
export const anthropicStop = anthropicEvent('message_stop')
export const anthropicDelta = (stop_reason: string | null, output_tokens = 30): string =>
  anthropicEvent('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } })

const block = (index: number, content_block: object, deltas: readonly object[]): string[] => [
  anthropicEvent('content_block_start', { index, content_block }),
  ...deltas.map((delta) => anthropicEvent('content_block_delta', { index, delta })),
  anthropicEvent('content_block_stop', { index }),
]
export const anthropicText = (index: number, texts: readonly string[]): string[] =>
  block(
    index,
    { type: 'text', text: '' },
    texts.map((text) => ({ type: 'text_delta', text })),
  )
export const anthropicCall = (index: number, id: string, name: string, json: readonly string[]): string[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )
export const anthropicThinking = (index: number, thinking: string): string[] =>
  block(index, { type: 'thinking', thinking: '', signature: '' }, [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature: `signed ${thinking}` },
  ])

let calls = 0

const answerOf = (step: ScriptStep, emitted: Map<string, unknown>): FakeAnswer => {
  const pieces: (string | Promise<unknown>)[] = [anthropicStart, anthropicEvent('ping')]
  const content: object[] = []
  if (step.thinking) {
    pieces.push(...anthropicThinking(content.length, step.thinking))
    content.push({ type: 'thinking', thinking: step.thinking, signature: `signed ${step.thinking}` })
  }
  const texts = textsOf(step)
  if (texts.length > 0) {
    const [start = '', ...rest] = anthropicText(content.length, [])
    const index = content.length
    const deltas = texts.map((text) =>
      typeof text === 'string'
        ? anthropicEvent('content_block_delta', { index, delta: { type: 'text_delta', text } })
        : text,
    )
    pieces.push(start, ...deltas, ...rest)
    content.push({ type: 'text', text: texts.filter((text) => typeof text === 'string').join('') })
  }
  for (const { name, args = {}, id = `toolu_${++calls}` } of step.calls ?? []) {
    const json = JSON.stringify(args)
    // Without arguments there may be no piece of them at all.
    const parts = json === '{}' ? [] : ['', json.slice(0, 3), json.slice(3)]
    pieces.push(...anthropicCall(content.length, id, name, parts))
    content.push({ type: 'tool_use', id, name, input: args })
    emitted.set(id, content)
  }
  if (step.fault === 'error')
    return anthropicStream([
      ...pieces,
      anthropicEvent('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ])
  if (step.fault) return anthropicStream(pieces, step.fault)
  const reason = step.isCutShort ? 'max_tokens' : step.calls?.length ? 'tool_use' : 'end_turn'
  return anthropicStream([...pieces, anthropicDelta(reason, step.tokens?.output), anthropicStop])
}

/** All results of a message's calls stand first in the next one; the first message is a person's. */
const orderProblem = (messages: readonly WireMessage[]): string | null => {
  if (messages[0]?.role !== 'user') return 'the first message is not the user’s'
  if (messages.at(-1)?.role !== 'user') return 'the last message is not the user’s'
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]
    const wanted =
      before?.role === 'assistant' ? before.content.flatMap((one) => (one.type === 'tool_use' ? [one.id] : [])) : []
    if (message.role === 'assistant') {
      if (before?.role === 'assistant') return 'two messages of the assistant follow each other'
      continue
    }
    const given = message.content.flatMap((one) => (one.type === 'tool_result' ? [one.tool_use_id] : []))
    if (!isDeepStrictEqual(given, wanted))
      return `tool_use ids were found without tool_result blocks: ${wanted} but ${given}`
    if (message.content.slice(0, given.length).some(({ type }) => type !== 'tool_result'))
      return 'results are not first'
  }
  return null
}

const thoughtsProblem = (messages: readonly WireMessage[], emitted: ReadonlyMap<string, unknown>): string | null => {
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue
    for (const one of content)
      if (one.type === 'tool_use' && emitted.has(one.id) && !isDeepStrictEqual(emitted.get(one.id), content))
        return 'thinking blocks in the latest assistant message cannot be modified'
  }
  return null
}

const toScript = ({ system, messages }: AnthropicBody): ScriptMessage[] => [
  ...(system ?? []).map(({ text }) => ({ role: 'system' as const, content: text })),
  ...messages.flatMap(({ role, content }): ScriptMessage[] => {
    const text = content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('')
    if (role === 'assistant') {
      const made = content.flatMap((one) =>
        one.type === 'tool_use' ? [{ id: one.id, name: one.name, args: one.input }] : [],
      )
      return [{ role, content: text, ...(made.length > 0 && { calls: made }) }]
    }
    const results = content.flatMap((one) =>
      one.type === 'tool_result' ? [{ role: 'tool' as const, content: one.content }] : [],
    )
    const pictures = content.filter(({ type }) => type === 'image').length
    const own = text !== '' || pictures > 0 ? [{ role, content: text, ...(pictures > 0 && { pictures }) }] : []
    return [...results, ...own]
  }),
]
