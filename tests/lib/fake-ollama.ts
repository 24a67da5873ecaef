import { z } from 'zod'
import { type FakeAnswer, type FakeProvider, jsonAnswer, startFakeProvider } from './ai/fake-provider.ts'
import { type Model, type ScriptMessage, type ScriptStep, textsOf } from './ai/script-model.ts'

export { type Model, type ScriptMessage, type ScriptStep, scriptModel } from './ai/script-model.ts'

const toolCall = z.strictObject({
  id: z.string().min(1),
  function: z.strictObject({ name: z.string().min(1), arguments: z.record(z.string(), z.unknown()) }),
})
const wireMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
  z.strictObject({ role: z.literal('user'), content: z.string(), images: z.array(z.base64()).min(1).optional() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_name: z.string(), tool_call_id: z.string(), content: z.string() }),
])
type WireMessage = z.infer<typeof wireMessage>

/** Other members are refused: no sampling parameters, no `format`. */
const chatBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(wireMessage).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-z_]{1,64}$/),
          description: z.string().min(1),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
  stream: z.literal(true),
  options: z.strictObject({ num_ctx: z.int().min(2_048), num_predict: z.int().min(1) }),
  truncate: z.literal(false),
  shift: z.literal(false),
})
export type OllamaChat = z.infer<typeof chatBody>

export type FakeOllamaOptions = {
  /** Models that it has, with what they can do. */
  models?: Record<string, readonly string[]>
  /** Required when set, as Ollama's cloud requires it. */
  apiKey?: string
}

export type FakeOllama = FakeProvider & {
  /** Sets the model's behavior. */
  model(model: Model): void
  /** Sends a raw response in place of the model's; for undefined, the model answers. */
  wire(answer: ((chat: OllamaChat) => FakeAnswer | undefined) | null): void
  /** All chats that were asked for, oldest first. */
  readonly chats: readonly OllamaChat[]
}

export const MODEL = 'qwen3:8b'
const NDJSON = { 'content-type': 'application/x-ndjson' }

/** A strict Ollama server: what the real one would take without a word, and misunderstand, is refused. */
export const startFakeOllama = async (options: FakeOllamaOptions = {}): Promise<FakeOllama> => {
  const models = options.models ?? {
    [MODEL]: ['completion', 'tools', 'thinking', 'vision'],
    'text-only': ['completion'],
  }
  const chats: OllamaChat[] = []
  let model: Model = () => null
  let wire: (chat: OllamaChat) => FakeAnswer | undefined = () => undefined

  const refuse = (problem: string, status = 400): FakeAnswer => {
    server.problems.push(problem)
    return jsonAnswer({ error: problem }, status)
  }
  const chatTo = (json: unknown): FakeAnswer => {
    const parsed = chatBody.safeParse(json)
    if (!parsed.success) return refuse(z.prettifyError(parsed.error))
    const chat = parsed.data
    const problem = orderProblem(chat.messages)
    if (problem !== null) return refuse(problem)
    chats.push(chat)
    const capabilities = models[chat.model]
    if (!capabilities) return jsonAnswer({ error: `model '${chat.model}' not found` }, 404)
    if (chat.tools && !capabilities.includes('tools'))
      return jsonAnswer({ error: `${chat.model} does not support tools` }, 400)
    const written = wire(chat)
    if (written) return written
    const step = model(
      chat.messages.map(toScript),
      (chat.tools ?? []).map((tool) => tool.function.name),
    )
    return step ? answerOf(chat.model, step) : refuse('the script of the model is over', 500)
  }
  const server = await startFakeProvider(({ path, method, headers, json }) => {
    if (options.apiKey !== undefined && headers.authorization !== `Bearer ${options.apiKey}`)
      return jsonAnswer({ error: 'unauthorized', signin_url: 'https://ollama.com/connect' }, 401)
    if (options.apiKey === undefined && headers.authorization !== undefined) return refuse('a local server has no key')
    if (path === '/api/chat' && method === 'POST') return chatTo(json)
    if (path === '/api/tags' && method === 'GET')
      return jsonAnswer({ models: Object.keys(models).map((name) => ({ name, model: name })) })
    if (path === '/api/show' && method === 'POST') {
      const { model: name } = z.strictObject({ model: z.string() }).parse(json)
      const capabilities = models[name]
      return capabilities ? jsonAnswer({ capabilities }) : jsonAnswer({ error: `model '${name}' not found` }, 404)
    }
    return refuse(`${method} ${path} is no address of Ollama`, 404)
  })
  return Object.assign(server, {
    chats,
    model(next: Model) {
      model = next
    },
    wire(next: ((chat: OllamaChat) => FakeAnswer | undefined) | null) {
      wire = next ?? (() => undefined)
    },
  })
}

/** One line of a chat. */
export const ollamaLine = (model: string, members: object): string =>
  `${JSON.stringify({ model, created_at: '2026-03-01T12:00:00.000Z', ...members })}\n`

export const ollamaText = (content: string, model = MODEL): string =>
  ollamaLine(model, { message: { role: 'assistant', content }, done: false })

export const ollamaCall = (name: string, args: unknown, id?: string, model = MODEL): string =>
  ollamaLine(model, {
    message: {
      role: 'assistant',
      content: '',
      tool_calls: [{ ...(id && { id }), function: { index: 0, name, arguments: args } }],
    },
    done: false,
  })

export const ollamaDone = (members: object = {}, model = MODEL): string =>
  ollamaLine(model, {
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 120,
    eval_count: 30,
    ...members,
  })

export const ollamaStream = (pieces: FakeAnswer['pieces'], ending: FakeAnswer['ending'] = 'end'): FakeAnswer => ({
  headers: NDJSON,
  pieces,
  ending,
})

const answerOf = (model: string, step: ScriptStep): FakeAnswer => {
  const thinking = ollamaLine(model, {
    message: { role: 'assistant', content: '', thinking: step.thinking },
    done: false,
  })
  const said = textsOf(step).map((text) => (typeof text === 'string' ? ollamaText(text, model) : text))
  const texts = step.thinking ? [thinking, ...said] : said
  const calls = (step.calls ?? []).map(({ name, args = {}, id }) => ollamaCall(name, args, id, model))
  const { input = 120, output = 30 } = step.tokens ?? {}
  if (step.fault === 'error') return ollamaStream([...texts, ...calls, '{"error":"the runner has stopped"}\n'])
  if (step.fault) return ollamaStream([...texts, ...calls], step.fault)
  const done = ollamaDone(
    { done_reason: step.isCutShort ? 'length' : 'stop', prompt_eval_count: input, eval_count: output },
    model,
  )
  return ollamaStream([...texts, ...calls, done])
}

/** Results follow the calls that they are of, all of them, in their order. */
const orderProblem = (messages: readonly WireMessage[]): string | null => {
  let waiting: { id: string; name: string }[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system' && index > 0) return 'a system message is not the first'
    if (message.role === 'tool') {
      const expected = waiting.shift()
      if (!expected) return `the result of ${message.tool_name} answers no call`
      if (expected.name !== message.tool_name || expected.id !== message.tool_call_id)
        return `the result of ${message.tool_name} stands where that of ${expected.name} belongs`
      continue
    }
    if (waiting.length > 0) return `the call of ${waiting[0]?.name} has no result`
    if (message.role === 'assistant')
      waiting = (message.tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name }))
  }
  if (waiting.length > 0) return `the call of ${waiting[0]?.name} has no result`
  return messages.at(-1)?.role === 'assistant' ? 'the last message is the assistant’s own' : null
}

const toScript = (message: WireMessage): ScriptMessage => {
  if (message.role === 'tool') return { role: 'tool', content: message.content, toolName: message.tool_name }
  if (message.role === 'user')
    return { role: 'user', content: message.content, ...(message.images && { pictures: message.images.length }) }
  if (message.role === 'system') return message
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }))
  return { role: 'assistant', content: message.content, ...(calls.length > 0 && { calls }) }
}

/** Connects a site to this server. */
export const connectOllama = async (
  client: { put(path: string, body: unknown): Promise<{ status: number; text: string }> },
  { url }: Pick<FakeOllama, 'url'>,
  members: Record<string, unknown> = {},
): Promise<void> => {
  const answer = await client.put('/api/ai', { kind: 'local', model: MODEL, baseUrl: url, ...members })
  if (answer.status !== 200) throw new Error(`connecting answered ${answer.status}: ${answer.text}`)
}
