import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import type { Adapter, EndReason, StepEvent } from './events.ts'
import { failure, type ProviderWords, refusalOf } from './failures.ts'
import { readSse } from './lines.ts'
import { type Call, openAnswer } from './open.ts'
import type { AiPort } from './port.ts'
import { argsObject, ownBlocks, shaped } from './shapes.ts'
import type { Connected, ModelMessage, StepRequest } from './types.ts'

const words = z.object({ message: z.string().nullish(), type: z.string().nullish(), code: z.string().nullish() })
const errorShape = z.object({ error: words })

const toWords = ({ message, type, code }: z.infer<typeof words>): ProviderWords => ({
  text: message ?? null,
  words: [type ?? '', code ?? ''],
})

/** `{"error":{…}}`. */
const readOpenAiError = (body: unknown): ProviderWords | null => {
  const parsed = errorShape.safeParse(body)
  return parsed.success ? toWords(parsed.data.error) : null
}

const openAiCall = (ai: AiPort, { credential }: Connected, body: Json): Call => ({
  url: `${ai.hosts.b}/v1/responses`,
  headers: credential === null ? {} : { authorization: `Bearer ${credential.value.reveal()}` },
  body: JSON.stringify(body),
  accept: 'text/event-stream',
  readError: readOpenAiError,
})

const typed = z.looseObject({ type: z.string() })
const delta = z.object({ delta: z.string() })
const itemEvent = z.object({ output_index: z.int(), item: z.looseObject({ type: z.string() }) })
const functionCall = z.object({
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: z.literal('completed').nullish(),
})
const ended = z.object({
  response: z.object({
    status: z.string().nullish(),
    error: words.nullish(),
    incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }).nullish(),
  }),
})

type State = { readonly open: Set<number>; readonly items: Json[]; calls: number; refusal: string }

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses-streaming. */
export const openAi: Adapter = async function* (ai, connected, request) {
  const call = openAiCall(ai, connected, bodyOf(connected, request))
  const answer = await openAnswer(ai, connected, call, request.signal)
  const state: State = { open: new Set(), items: [], calls: 0, refusal: '' }
  for await (const value of readSse(answer.body, request.signal)) {
    const { type } = shaped(typed, value)
    if (type === 'response.output_text.delta') yield { type: 'text', delta: shaped(delta, value).delta }
    else if (type === 'response.refusal.delta') state.refusal += shaped(delta, value).delta
    else if (type === 'response.output_item.added') state.open.add(shaped(itemEvent, value).output_index)
    else if (type === 'response.output_item.done') yield* readItem(state, shaped(itemEvent, value))
    else if (ENDS.has(type)) {
      yield* endOf(type, shaped(ended, value).response, state)
      return
    } else if (type === 'error') throw refusalOf(null, readOpenAiError(value) ?? toWords(shaped(words, value)))
    // Other events repeat the same, or were added since.
  }
}

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed'])
/** What must be sent again in the next step. */
const KEPT = new Set(['message', 'reasoning', 'function_call'])

function* readItem(state: State, { output_index, item }: z.infer<typeof itemEvent>): Generator<StepEvent> {
  state.open.delete(output_index)
  if (KEPT.has(item.type)) state.items.push(item as Json)
  if (item.type !== 'function_call') return
  const { call_id: id, name, arguments: args } = shaped(functionCall, item)
  state.calls += 1
  yield { type: 'call', call: { id, name, args } }
}

function* endOf(type: string, response: z.infer<typeof ended>['response'], state: State): Generator<StepEvent> {
  if (type === 'response.failed') throw refusalOf(null, toWords(response.error ?? {}))
  const reason =
    type === 'response.completed' ? completed(state) : INCOMPLETE[response.incomplete_details?.reason ?? '']
  if (reason === undefined) throw failure('AI_BAD_RESPONSE')
  if (reason === 'refused') throw failure('AI_REFUSED', { providerText: state.refusal || null })
  const { usage } = response
  if (usage) yield { type: 'usage', input: usage.input_tokens, output: usage.output_tokens }
  yield { type: 'end', reason, blocks: state.items }
}

const INCOMPLETE: Readonly<Record<string, EndReason>> = { max_output_tokens: 'length', content_filter: 'refused' }

const completed = ({ open, calls, refusal }: State): EndReason | undefined => {
  if (open.size > 0) return undefined
  if (refusal !== '') return 'refused'
  return calls > 0 ? 'tools' : 'stop'
}

/** Models that do not reason refuse to be asked for their reasoning. */
const WITHOUT_REASONING = /^(ft:)?(gpt-3|gpt-4|chatgpt-|gpt-5(\.\d+)?-chat)/

const bodyOf = (connected: Connected, { system, messages, tools, maxOutputTokens }: StepRequest): Json => ({
  model: connected.model,
  max_output_tokens: maxOutputTokens,
  stream: true,
  // Nothing is kept there: what the model needs of its reasoning comes with the answer, sealed.
  store: false,
  ...(!WITHOUT_REASONING.test(connected.model) && { include: ['reasoning.encrypted_content'] }),
  ...(system !== '' && { instructions: system }),
  ...(tools.length > 0 && {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    })),
    tool_choice: 'auto',
  }),
  input: messages.flatMap((message) => toItems(connected, message)),
})

const toItems = (connected: Connected, message: ModelMessage): readonly Json[] => {
  if (message.role === 'tool')
    return message.results.map(({ callId, content }) => ({
      type: 'function_call_output',
      call_id: callId,
      output: content,
    }))
  if (message.role === 'user') {
    const pictures = (message.pictures ?? []).map(({ mime, bytes }) => ({
      type: 'input_image',
      detail: 'auto',
      image_url: `data:${mime};base64,${bytes.toString('base64')}`,
    }))
    return [{ role: 'user', content: [...pictures, { type: 'input_text', text: message.text }] }]
  }
  const own = ownBlocks(connected, message)
  if (Array.isArray(own)) return own
  return [
    ...(message.text === '' ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text: message.text }] }]),
    ...message.calls.map(({ id, name, args }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(argsObject(args)),
    })),
  ]
}
