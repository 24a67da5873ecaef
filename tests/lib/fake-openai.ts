import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type FakeAnswer, type FakeProvider, jsonAnswer, startFakeProvider } from './ai/fake-provider.ts'
import { type Model, type ScriptMessage, type ScriptStep, textsOf } from './ai/script-model.ts'

const item = z.union([
  z.strictObject({
    role: z.literal('user'),
    content: z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('input_text'), text: z.string() }),
          z.strictObject({
            type: z.literal('input_image'),
            detail: z.literal('auto'),
            image_url: z.string().startsWith('data:image/'),
          }),
        ]),
      )
      .min(1),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.array(z.strictObject({ type: z.literal('output_text'), text: z.string().min(1) })).min(1),
  }),
  z.looseObject({ type: z.literal('message'), role: z.literal('assistant'), id: z.string() }),
  z.looseObject({ type: z.literal('reasoning'), id: z.string(), encrypted_content: z.string().min(1) }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string().refine((text) => JSON.parse(text) !== undefined),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
])
type Item = z.infer<typeof item>

/** Other members are refused: reasoning models reject sampling parameters. */
const body = z.strictObject({
  model: z.string().min(1),
  max_output_tokens: z.int().min(16),
  stream: z.literal(true),
  store: z.literal(false),
  include: z.tuple([z.literal('reasoning.encrypted_content')]).optional(),
  instructions: z.string().min(1).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z.string().regex(/^[\w-]{1,64}$/),
        description: z.string().min(1),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.literal(false),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.literal('auto').optional(),
  input: z.array(item).min(1),
})
export type OpenAiBody = z.infer<typeof body>

export type FakeOpenAi = FakeProvider & {
  model(model: Model): void
  /** Sends a raw response in place of the model's. */
  wire(answer: ((body: OpenAiBody) => FakeAnswer | undefined) | null): void
  readonly bodies: readonly OpenAiBody[]
}

export const OPENAI_KEY = 'sk-proj-of-the-tests-0001'

/** A strict OpenAI: key, order of results, and reasoning that comes back as it was. */
export const startFakeOpenAi = async (key = OPENAI_KEY): Promise<FakeOpenAi> => {
  const bodies: OpenAiBody[] = []
  /** The items that preceded a call in its answer, by the id of the call. */
  const emitted = new Map<string, readonly unknown[]>()
  let model: Model = () => null
  let wire: (body: OpenAiBody) => FakeAnswer | undefined = () => undefined
  const refuse = (problem: string): FakeAnswer => {
    server.problems.push(problem)
    return openAiError(400, { message: problem, type: 'invalid_request_error' })
  }
  const server = await startFakeProvider(({ path, method, headers, json }) => {
    if (path !== '/v1/responses' || method !== 'POST') return refuse(`${method} ${path} is no address of OpenAI`)
    if (headers.authorization !== `Bearer ${key}`)
      return openAiError(401, {
        message: 'Incorrect API key provided',
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      })
    const parsed = body.safeParse(json)
    if (!parsed.success) return refuse(z.prettifyError(parsed.error))
    const { input, model: name, include } = parsed.data
    if (include && name.startsWith('gpt-4')) return refuse('Encrypted content is not supported with this model')
    const problem = orderProblem(input) ?? reasoningProblem(input, emitted)
    if (problem !== null) return refuse(problem)
    bodies.push(parsed.data)
    const written = wire(parsed.data)
    if (written) return written
    const step = model(
      toScript(parsed.data),
      (parsed.data.tools ?? []).map((tool) => tool.name),
    )
    return step ? answerOf(step, emitted) : refuse('the script of the model is over')
  })
  return Object.assign(server, {
    bodies,
    model(next: Model) {
      model = next
    },
    wire(next: ((body: OpenAiBody) => FakeAnswer | undefined) | null) {
      wire = next ?? (() => undefined)
    },
  })
}

export const openAiError = (status: number, error: object, headers: Record<string, string> = {}): FakeAnswer =>
  jsonAnswer({ error: { param: null, code: null, ...error } }, status, headers)

export const openAiStream = (pieces: FakeAnswer['pieces'], ending: FakeAnswer['ending'] = 'end'): FakeAnswer => ({
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  pieces,
  ending,
})

let sequence = 0

export const openAiEvent = (type: string, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: ++sequence, ...members })}\n\n`

export const openAiCreated = openAiEvent('response.created', { response: { id: 'resp_1', status: 'in_progress' } })
export const openAiEnd = (status: 'completed' | 'incomplete' | 'failed', members: object = {}): string =>
  openAiEvent(`response.${status}`, {
    response: { id: 'resp_1', status, usage: { input_tokens: 120, output_tokens: 30 }, ...members },
  })

const textItem = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const added = (output_index: number, members: object) =>
  openAiEvent('response.output_item.added', { output_index, item: { ...members, status: 'in_progress' } })
const done = (output_index: number, members: object) =>
  openAiEvent('response.output_item.done', { output_index, item: members })
const textDelta = (output_index: number, delta: string) =>
  openAiEvent('response.output_text.delta', { output_index, item_id: 'msg_1', content_index: 0, delta })

export const openAiText = (index: number, texts: readonly string[]): string[] => [
  added(index, { type: 'message', id: 'msg_1', role: 'assistant', content: [] }),
  ...texts.map((text) => textDelta(index, text)),
  done(index, textItem(texts.join(''))),
]

const callItem = (call_id: string, name: string, args: string) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: args,
  status: 'completed',
})
export const openAiCall = (index: number, id: string, name: string, args: string): string[] => [
  added(index, { ...callItem(id, name, ''), arguments: '' }),
  openAiEvent('response.function_call_arguments.delta', { output_index: index, item_id: `fc_${id}`, delta: args }),
  openAiEvent('response.function_call_arguments.done', { output_index: index, item_id: `fc_${id}`, arguments: args }),
  done(index, callItem(id, name, args)),
]

let calls = 0

const answerOf = (step: ScriptStep, emitted: Map<string, readonly unknown[]>): FakeAnswer => {
  const pieces: (string | Promise<unknown>)[] = [openAiCreated]
  const items: unknown[] = []
  if (step.thinking) {
    const reasoning = {
      type: 'reasoning',
      id: `rs_${++calls}`,
      summary: [],
      encrypted_content: `sealed ${step.thinking}`,
    }
    pieces.push(added(0, { type: 'reasoning', id: reasoning.id, summary: [] }), done(0, reasoning))
    items.push(reasoning)
  }
  const texts = textsOf(step)
  if (texts.length > 0) {
    const index = items.length
    const text = texts.filter((one) => typeof one === 'string').join('')
    pieces.push(added(index, { type: 'message', id: 'msg_1', role: 'assistant', content: [] }))
    pieces.push(...texts.map((one) => (typeof one === 'string' ? textDelta(index, one) : one)))
    pieces.push(done(index, textItem(text)))
    items.push(textItem(text))
  }
  for (const { name, args = {}, id = `call_${++calls}` } of step.calls ?? []) {
    pieces.push(...openAiCall(items.length, id, name, JSON.stringify(args)))
    emitted.set(id, [...items])
    items.push(callItem(id, name, JSON.stringify(args)))
  }
  if (step.fault === 'error')
    return openAiStream([...pieces, openAiEvent('error', { code: 'server_error', message: 'It failed', param: null })])
  if (step.fault) return openAiStream(pieces, step.fault)
  const { input = 120, output = 30 } = step.tokens ?? {}
  const usage = { input_tokens: input, output_tokens: output }
  const end = step.isCutShort
    ? openAiEnd('incomplete', { incomplete_details: { reason: 'max_output_tokens' }, usage })
    : openAiEnd('completed', { usage, output: items })
  return openAiStream([...pieces, end])
}

const typeOf = (one: Item): string => ('type' in one ? String(one.type) : one.role)

/** The results of the calls follow them, all of them, before anything else is said. */
const orderProblem = (input: readonly Item[]): string | null => {
  let waiting: string[] = []
  let isAnswering = false
  for (const one of input) {
    const type = typeOf(one)
    if (type === 'function_call' && 'call_id' in one) {
      if (isAnswering && waiting.length > 0) return 'a call stands between results'
      waiting.push(String(one.call_id))
      isAnswering = false
    } else if (type === 'function_call_output' && 'call_id' in one) {
      if (!waiting.includes(String(one.call_id))) return `No tool call found for function call output ${one.call_id}`
      waiting = waiting.filter((id) => id !== one.call_id)
      isAnswering = true
    } else if (waiting.length > 0) return `No tool output found for function call ${waiting[0]}`
  }
  if (waiting.length > 0) return `No tool output found for function call ${waiting[0]}`
  return ['assistant', 'message'].includes(typeOf(input.at(-1) ?? input[0]!))
    ? 'the last item is the model’s own'
    : null
}

const reasoningProblem = (input: readonly Item[], emitted: ReadonlyMap<string, readonly unknown[]>): string | null => {
  for (const [index, one] of input.entries()) {
    if (typeOf(one) !== 'function_call' || !('call_id' in one)) continue
    const before = emitted.get(String(one.call_id)) ?? []
    if (!isDeepStrictEqual(input.slice(index - before.length, index), before))
      return `function_call ${one.call_id} was provided without its required reasoning item`
  }
  return null
}

const toScript = ({ instructions, input }: OpenAiBody): ScriptMessage[] => [
  ...(instructions === undefined ? [] : [{ role: 'system' as const, content: instructions }]),
  ...input.flatMap((one): ScriptMessage[] => {
    if ('type' in one && one.type === 'function_call_output') return [{ role: 'tool', content: String(one.output) }]
    if ('type' in one && one.type === 'function_call')
      return [
        {
          role: 'assistant',
          content: '',
          calls: [{ id: String(one.call_id), name: String(one.name), args: JSON.parse(String(one.arguments)) }],
        },
      ]
    if ('type' in one && one.type === 'reasoning') return []
    const content = Array.isArray(one.content) ? one.content : []
    const text = content.map((part: { text?: string }) => part.text ?? '').join('')
    const pictures = content.filter((part: { type: string }) => part.type === 'input_image').length
    return [{ role: one.role as 'user' | 'assistant', content: text, ...(pictures > 0 && { pictures }) }]
  }),
]
