import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { DEFAULT_BASE_URL } from './base-url.ts'
import type { Adapter, EndReason, StepEvent } from './events.ts'
import { failure, type ProviderWords, refusalOf } from './failures.ts'
import { readNdjson } from './lines.ts'
import { type Call, openAnswer } from './open.ts'
import type { AiPort } from './port.ts'
import { argsObject, ownBlocks, shaped } from './shapes.ts'
import type { Connected, ModelMessage, StepRequest, ToolCall, ToolSchema } from './types.ts'

const line = z.object({
  message: z
    .object({
      content: z.string().optional(),
      thinking: z.string().optional(),
      tool_calls: z
        .array(
          z.object({ id: z.string().optional(), function: z.object({ name: z.string(), arguments: z.unknown() }) }),
        )
        .nullish(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.int().min(0).optional(),
  eval_count: z.int().min(0).optional(),
})
type Line = z.infer<typeof line>

const errorShape = z.object({ error: z.string() })

/** `{"error": "…"}`, as an answer and as a line of one. */
const readOllamaError = (body: unknown): ProviderWords | null => {
  const parsed = errorShape.safeParse(body)
  return parsed.success ? { text: parsed.data.error, words: [] } : null
}

/** A request to the server of this connection. */
export const ollamaCall = (ai: AiPort, connected: Connected, path: string, body: Json): Call => {
  const base = connected.kind === 'cloud' ? ai.hosts.cloud : (connected.baseUrl ?? DEFAULT_BASE_URL)
  const { credential } = connected
  return {
    url: `${base}${path}`,
    headers: credential === null ? {} : { authorization: `Bearer ${credential.value.reveal()}` },
    body: JSON.stringify(body),
    accept: 'application/x-ndjson',
    readError: readOllamaError,
  }
}

/** Ollama's own chat: https://docs.ollama.com/api/chat. Its compatible endpoints end streams without saying so. */
export const ollama: Adapter = async function* (ai, connected, request) {
  const call = ollamaCall(ai, connected, '/api/chat', bodyOf(connected, request))
  const answer = await openAnswer(ai, connected, call, request.signal)
  const earlier = request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  const ids = new Set(earlier.map(({ id }) => id))
  let thinking = ''
  for await (const value of readNdjson(answer.body, request.signal)) {
    const { message, ...rest } = readLine(value)
    thinking += message?.thinking ?? ''
    if (message?.content) yield { type: 'text', delta: message.content }
    // Some builds put them into the line that says done.
    for (const call of message?.tool_calls ?? []) yield { type: 'call', call: toCall(call, ids) }
    if (rest.done) {
      yield* endOf(rest, thinking)
      return
    }
  }
}

function* endOf({ done_reason, prompt_eval_count, eval_count }: Line, thinking: string): Generator<StepEvent> {
  const reason = REASONS[done_reason ?? 'stop']
  if (reason === undefined) throw failure('AI_BAD_RESPONSE')
  yield { type: 'usage', input: prompt_eval_count ?? 0, output: eval_count ?? 0 }
  yield { type: 'end', reason, blocks: thinking === '' ? null : { thinking } }
}

const REASONS: Readonly<Record<string, EndReason>> = { stop: 'stop', length: 'length' }

const readLine = (value: unknown): Line => {
  const said = readOllamaError(value)
  if (said !== null) throw refusalOf(null, said)
  return shaped(line, value)
}

type WireCall = NonNullable<NonNullable<Line['message']>['tool_calls']>[number]

/** Ids may be missing, and must not be those of another call of the conversation. */
const toCall = ({ id, function: { name, arguments: args } }: WireCall, ids: Set<string>): ToolCall => {
  let own = id
  for (let n = ids.size + 1; !own || ids.has(own); n += 1) own = `call_${n}`
  ids.add(own)
  return { id: own, name, args: (args ?? {}) as Json }
}

const bodyOf = (connected: Connected, { system, messages, tools, maxOutputTokens }: StepRequest): Json => ({
  model: connected.model,
  messages: [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...messages.flatMap((message) => toMessages(connected, message)),
  ],
  ...(tools.length > 0 && { tools: tools.map(toTool) }),
  stream: true,
  options: { num_ctx: connected.contextTokens, num_predict: maxOutputTokens },
  // Too long must be an error: otherwise the oldest messages are left out without a word.
  truncate: false,
  shift: false,
})

const toTool = ({ name, description, inputSchema }: ToolSchema): Json => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
})

const toMessages = (connected: Connected, message: ModelMessage): Json[] => {
  if (message.role === 'tool')
    return message.results.map(({ callId, name, content }) => ({
      role: 'tool',
      tool_name: name,
      tool_call_id: callId,
      content,
    }))
  if (message.role === 'user') {
    const images = (message.pictures ?? []).map(({ bytes }) => bytes.toString('base64'))
    return [{ role: 'user', content: message.text, ...(images.length > 0 && { images }) }]
  }
  const calls = message.calls.map(({ id, name, args }) => ({ id, function: { name, arguments: argsObject(args) } }))
  return [
    {
      role: 'assistant',
      content: message.text,
      ...thinkingOf(ownBlocks(connected, message)),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

const thinkingShape = z.object({ thinking: z.string() })

const thinkingOf = (blocks: Json | null) => {
  const parsed = thinkingShape.safeParse(blocks)
  return parsed.success ? parsed.data : {}
}
