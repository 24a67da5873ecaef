import type { AiKind } from '@stoa/cms-model/ai.ts'
import type { Json } from '../../people/call-route/call-route.ts'
import { anthropic } from './anthropic.ts'
import type { Adapter, EndReason, StepEvent } from './events.ts'
import { failure } from './failures.ts'
import { ollama } from './ollama.ts'
import { openAi } from './openai.ts'
import type { AiPort } from './port.ts'
import { createTextCleaner, isStorable, storableJson } from './storable.ts'
import type { Connected, StepRequest, StepResult, ToolCall } from './types.ts'

const ADAPTERS: Readonly<Record<AiKind, Adapter>> = { a: anthropic, b: openAi, local: ollama, cloud: ollama }

/** More than any model answers in one step. */
const MAX_TEXT_LENGTH = 1_000_000
const MAX_ARGUMENTS_LENGTH = 1_000_000
const MAX_BLOCKS_LENGTH = 4_000_000
const MAX_CALLS = 64
/** The names that providers allow: https://platform.openai.com/docs/api-reference/responses. */
const TOOL_NAME = /^[\w-]{1,128}$/
const CALL_ID = /^[\x21-\x7e]{1,200}$/

/**
 * One exchange with the model. It resolves only when the provider has said that it is done; calls are given out with it
 * and never before. Otherwise it rejects with a ProviderError, or with the reason of the request's signal.
 */
export const runStep = async (
  { ai }: { readonly ai: AiPort },
  connected: Connected,
  request: StepRequest,
): Promise<StepResult> => {
  request.signal.throwIfAborted()
  const step = createStep(request)
  for await (const event of ADAPTERS[connected.kind](ai, connected, request)) step.take(event)
  request.signal.throwIfAborted()
  return step.finish(connected)
}

/** Collects one step and holds it back until its end was seen. */
const createStep = (request: StepRequest) => {
  const cleaner = createTextCleaner()
  let text = ''
  const calls: ToolCall[] = []
  let usage: StepResult['usage'] | null = null
  let end: { reason: EndReason; blocks: Json | null } | null = null

  const emit = (delta: string): void => {
    if (delta === '') return
    text += delta
    if (text.length > MAX_TEXT_LENGTH) throw failure('AI_BAD_RESPONSE', { retryable: false })
    request.onText(delta)
  }
  const take = (event: StepEvent): void => {
    switch (event.type) {
      case 'text':
        emit(cleaner.next(event.delta))
        break
      case 'call':
        calls.push(readCall(event.call, calls))
        break
      case 'usage':
        usage = { input: plausible(event.input), output: plausible(event.output) }
        break
      case 'end':
        end = event
    }
  }
  const finish = ({ kind, model }: Connected): StepResult => {
    if (end === null) throw failure('AI_STREAM_INTERRUPTED')
    const { reason, blocks } = end
    const stop = stopOf(reason, calls.length)
    emit(cleaner.rest())
    return {
      text,
      calls,
      stop,
      usage: orEstimate(usage, request, text, calls),
      replay: blocks !== null && isKept(blocks) ? { kind, model, blocks } : null,
    }
  }
  return { take, finish }
}

/** Blocks are sent again unchanged or not at all. */
const isKept = (blocks: Json): boolean => isShallow(blocks) && sizeOf(blocks) <= MAX_BLOCKS_LENGTH && isStorable(blocks)

const stopOf = (reason: EndReason, calls: number): StepResult['stop'] => {
  if (reason === 'refused') throw failure('AI_REFUSED')
  // The last call may have been cut in a place where it still reads as JSON.
  if (reason === 'length' && calls > 0) throw failure('AI_BAD_RESPONSE')
  if (reason === 'length') return 'length'
  if (reason === 'tools' && calls === 0) throw failure('AI_BAD_RESPONSE')
  return calls > 0 ? 'tools' : 'end'
}

const readCall = ({ id, name, args: given }: ToolCall, calls: readonly ToolCall[]): ToolCall => {
  const args = readArguments(given)
  const isGood =
    TOOL_NAME.test(name) &&
    CALL_ID.test(id) &&
    isShallow(args) &&
    sizeOf(args) <= MAX_ARGUMENTS_LENGTH &&
    calls.length < MAX_CALLS &&
    !calls.some((call) => call.id === id)
  if (!isGood) throw failure('AI_BAD_RESPONSE')
  return { id, name, args: storableJson(args) }
}

/** Deeper values overflow the stack of code that walks them, the database's too. */
const MAX_DEPTH = 64

const isShallow = (value: Json, depth = MAX_DEPTH): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1)))

/** Some models write JSON into a text. What can't be parsed is reported to the model when the tool runs. */
const readArguments = (args: Json): Json => {
  if (typeof args !== 'string') return args
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args) as Json
  } catch {
    return args
  }
}

/** No model reads or says more in one step; a wrong count must not break the sums of a day. */
const MAX_STEP_TOKENS = 10_000_000
const plausible = (tokens: number): number => Math.min(Math.max(0, tokens), MAX_STEP_TOKENS)

const CHARACTERS_PER_TOKEN = 4

/** About as many tokens as this text has. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

/** About as many tokens as the model has to read for this request. */
export const estimateInput = ({
  system,
  messages,
  tools,
}: Pick<StepRequest, 'system' | 'messages' | 'tools'>): number =>
  estimateTokens(system.length + sizeOf(tools) + messages.reduce((sum, message) => sum + messageSize(message), 0))

const sizeOf = (value: unknown): number => JSON.stringify(value).length

/** A picture of 1024 pixels is about 1,500 tokens with every provider. */
const PICTURE_SIZE = 6_000

const messageSize = (message: StepRequest['messages'][number]): number => {
  if (message.role === 'tool') return message.results.reduce((sum, { content }) => sum + content.length, 0)
  if (message.role === 'user') return message.text.length + (message.pictures?.length ?? 0) * PICTURE_SIZE
  return message.text.length + sizeOf(message.calls)
}

/** What a provider doesn't report is estimated, so that no step is free. */
const orEstimate = (
  usage: StepResult['usage'] | null,
  request: StepRequest,
  text: string,
  calls: readonly ToolCall[],
): StepResult['usage'] => ({
  input: usage?.input || estimateInput(request),
  output: usage?.output || estimateTokens(text.length + (calls.length > 0 ? sizeOf(calls) : 0)),
})
