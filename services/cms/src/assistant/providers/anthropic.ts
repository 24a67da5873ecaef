import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { type Blocks, createBlocks, readBlocks } from './anthropic-blocks.ts'
import type { Adapter, EndReason, StepEvent } from './events.ts'
import { failure, type ProviderWords, refusalOf } from './failures.ts'
import { readSse } from './lines.ts'
import { type Call, openAnswer } from './open.ts'
import type { AiPort } from './port.ts'
import { argsObject, ownBlocks, shaped } from './shapes.ts'
import type { Connected, ModelMessage, StepRequest } from './types.ts'

/** Both this and 2026-10-21 know all that is used here; this one is the longer proven. */
const VERSION = '2023-06-01'
const OAUTH_BETA = 'oauth-2025-04-20'

const errorShape = z.object({
  error: z.object({
    type: z.string(),
    message: z.string().optional(),
    details: z.object({ error_code: z.string().optional() }).nullish(),
  }),
})

/** `{"type":"error","error":{…}}`, as an answer and as an event of one. */
const readAnthropicError = (body: unknown): ProviderWords | null => {
  const parsed = errorShape.safeParse(body)
  if (!parsed.success) return null
  const { type, message = null, details } = parsed.data.error
  return { text: message, words: [type, details?.error_code ?? ''] }
}

const anthropicCall = (ai: AiPort, { credential }: Connected, body: Json): Call => ({
  url: `${ai.hosts.a}/v1/messages`,
  headers: { 'anthropic-version': VERSION, ...authOf(credential) },
  body: JSON.stringify(body),
  accept: 'text/event-stream',
  readError: readAnthropicError,
})

const authOf = (credential: Connected['credential']): Record<string, string> => {
  if (credential === null) return {}
  const value = credential.value.reveal()
  if (credential.from === 'key') return { 'x-api-key': value }
  return { authorization: `Bearer ${value}`, 'anthropic-beta': OAUTH_BETA }
}

/** Anthropic's Messages: https://platform.claude.com/docs/en/build-with-claude/streaming. */
export const anthropic: Adapter = async function* (ai, connected, request) {
  const call = anthropicCall(ai, connected, bodyOf(connected, request))
  const answer = await openAnswer(ai, connected, call, request.signal)
  const blocks = createBlocks()
  const counted = { input: 0, output: 0 }
  let stopReason: string | null = null
  for await (const value of readSse(answer.body, request.signal)) {
    const { type } = shaped(typed, value)
    if (type === 'error') throw refusalOf(null, readAnthropicError(value) ?? { text: null, words: [] })
    if (type === 'message_stop') {
      yield* endOf(stopReason, blocks, counted)
      return
    }
    if (type === 'message_start') count(counted, shaped(messageStart, value).message.usage)
    else if (type === 'message_delta') {
      const { delta, usage } = shaped(messageDelta, value)
      count(counted, usage)
      stopReason = delta.stop_reason ?? stopReason
    } else yield* readBlocks(blocks, type, value)
    // Other events are pings, or newer than this code.
  }
}

const typed = z.looseObject({ type: z.string() })
const usageShape = z.object({
  input_tokens: z.int().nullish(),
  cache_creation_input_tokens: z.int().nullish(),
  cache_read_input_tokens: z.int().nullish(),
  output_tokens: z.int().nullish(),
})
const messageStart = z.object({ message: z.object({ usage: usageShape.nullish() }) })
const messageDelta = z.object({ delta: z.object({ stop_reason: z.string().nullish() }), usage: usageShape.nullish() })

/** Counts are of the whole message so far. */
const count = (counted: { input: number; output: number }, usage: z.infer<typeof usageShape> | null | undefined) => {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage ?? {}
  const read = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
  counted.input = Math.max(counted.input, read)
  counted.output = Math.max(counted.output, output_tokens ?? 0)
}

const REASONS: Readonly<Record<string, EndReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tools',
  max_tokens: 'length',
  refusal: 'refused',
}

function* endOf(
  stopReason: string | null,
  blocks: Blocks,
  counted: { input: number; output: number },
): Generator<StepEvent> {
  if (stopReason === null) throw failure('AI_STREAM_INTERRUPTED')
  if (stopReason === 'model_context_window_exceeded') throw failure('AI_CONTEXT_FULL')
  const reason = REASONS[stopReason]
  if (reason === undefined || blocks.open.size > 0) throw failure('AI_BAD_RESPONSE')
  yield { type: 'usage', ...counted }
  yield { type: 'end', reason, blocks: blocks.isKnown ? (blocks.done as Json) : null }
}

const CACHED = { cache_control: { type: 'ephemeral' } } as const

const bodyOf = (connected: Connected, { system, messages, tools, maxOutputTokens }: StepRequest): Json => ({
  model: connected.model,
  max_tokens: maxOutputTokens,
  stream: true,
  ...(system !== '' && { system: [{ type: 'text', text: system, ...CACHED }] }),
  ...(tools.length > 0 && {
    tools: tools.map(({ name, description, inputSchema }, index) => ({
      name,
      description,
      input_schema: inputSchema,
      // Everything up to here is read once.
      ...(index === tools.length - 1 && CACHED),
    })),
  }),
  messages: messages.flatMap((message) => toMessages(connected, message)),
})

const toMessages = (connected: Connected, message: ModelMessage): Json[] => {
  const content = contentOf(connected, message)
  return content.length === 0 ? [] : [{ role: message.role === 'assistant' ? 'assistant' : 'user', content }]
}

const contentOf = (connected: Connected, message: ModelMessage): readonly Json[] => {
  if (message.role === 'tool')
    return message.results.map(({ callId, content, isError }) => ({
      type: 'tool_result',
      tool_use_id: callId,
      content,
      ...(isError && { is_error: true }),
    }))
  if (message.role === 'user')
    return [
      ...(message.pictures ?? []).map(({ mime, bytes }) => ({
        type: 'image',
        source: { type: 'base64', media_type: mime, data: bytes.toString('base64') },
      })),
      ...textBlock(message.text),
    ]
  const own = ownBlocks(connected, message)
  if (Array.isArray(own)) return own
  return [
    ...textBlock(message.text),
    ...message.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: argsObject(args) })),
  ]
}

/** A text of nothing but space is refused. */
const textBlock = (text: string): Json[] => (text.trim() === '' ? [] : [{ type: 'text', text }])
