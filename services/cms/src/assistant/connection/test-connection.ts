import { randomBytes } from 'node:crypto'
import type { AiCheckId, AiTest, AiTestInput } from '@stoa/cms-model/ai.ts'
import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { Ctx } from '../../context.ts'
import { catalogue } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import {
  type Connected,
  estimateInput,
  estimateTokens,
  ollamaCapabilities,
  ProviderError,
  runStep,
  type StepRequest,
  type StepResult,
  type ToolSchema,
} from '../providers/providers.ts'
import { reserveTokens, settleTokens } from './budget.ts'
import { connectedOf } from './connection.ts'
import { baseUrlAfter } from './manage.ts'
import { findProvider, type StoredProvider, saveLastTest } from './queries.ts'
import { withGoodTokens } from './renew.ts'

const HOSTED_MS = 90_000
/** A local server may have to load the model first. */
const LOCAL_MS = 240_000
const MAX_OUTPUT_TOKENS = 1_024
/** Two answers, and what is asked. */
const ESTIMATE = 2 * MAX_OUTPUT_TOKENS + 1_000

const TOOL: ToolSchema = {
  name: 'cms_connection_check',
  description: 'Checks the connection. Call it once, with the marker and the step that you were told.',
  inputSchema: {
    type: 'object',
    properties: { marker: { type: 'string' }, step: { type: 'integer' } },
    required: ['marker', 'step'],
    additionalProperties: false,
  },
}
const SYSTEM = 'Connection test. Use the tool as told.'

/**
 * Tries a connection with a marker that nobody else knows: the model has to call a tool with it, and to repeat what the
 * tool answered. No content is read, and nothing that was entered is saved; of the connection in use, the result is.
 */
export const testConnection = async (ctx: Ctx, input: AiTestInput): Promise<AiTest> => {
  const stored = await withGoodTokens(ctx, await findProvider(ctx.db))
  const tested = connectionOf(ctx, stored, input)
  if (tested === null) return withoutKey(input.model)
  const accountId = sessionOf(ctx).account.id
  const receipt = await reserveTokens(ctx, { feature: 'test', accountId, estimate: ESTIMATE })
  const used = { input: 0, output: 0 }
  try {
    const test = await run(ctx, tested, used)
    if (isInUse(stored, tested, input))
      await ctx.tx((tx) => saveLastTest(tx, stored.version, { ...test, at: ctx.now().toISOString() }))
    return test
  } finally {
    await settleTokens(ctx, receipt, used)
  }
}

/** Omitted members are taken from the stored provider; null if a key is needed and missing. */
const connectionOf = (ctx: Ctx, stored: StoredProvider, input: AiTestInput): Connected | null => {
  const { kind, model, apiKey } = input
  const baseUrl = baseUrlAfter(ctx, stored, input)
  const { contextTokens } = stored
  if (kind === 'local') return { kind, model, baseUrl, credential: null, contextTokens }
  if (apiKey) return { kind, model, baseUrl, credential: { from: 'key', value: new Secret(apiKey) }, contextTokens }
  const known = apiKey === undefined && stored.kind === kind ? connectedOf(ctx, stored) : null
  return known && { ...known, model }
}

const isInUse = (stored: StoredProvider, { kind, model, baseUrl }: Connected, { apiKey }: AiTestInput): boolean =>
  apiKey === undefined && stored.kind === kind && stored.model === model && stored.baseUrl === baseUrl

const withoutKey = (model: string): AiTest => ({
  ok: false,
  model,
  checks: [{ id: 'auth', ok: false, ms: 0, detail: 'No API key entered.' }],
  fieldAssistant: false,
  assistant: false,
  error: { code: 'AI_AUTH', message: 'Enter an API key first.' },
})

type Check = AiTest['checks'][number]
type Run = {
  readonly ctx: Ctx
  readonly connected: Connected
  readonly signal: AbortSignal
  readonly used: { input: number; output: number }
  readonly checks: Map<AiCheckId, Check>
}

const run = async (ctx: Ctx, connected: Connected, used: Run['used']): Promise<AiTest> => {
  const signal = AbortSignal.timeout(connected.kind === 'local' ? LOCAL_MS : HOSTED_MS)
  const state: Run = { ctx, connected, signal, used, checks: new Map() }
  let isText = false
  let error: AiTest['error']
  try {
    isText = await runChecks(state)
  } catch (cause) {
    error = failed(state, cause)
  }
  const passed = (id: AiCheckId) => state.checks.get(id)?.ok === true
  return {
    ok: error === undefined,
    model: connected.model,
    checks: [...state.checks.values()],
    fieldAssistant: error === undefined && isText,
    assistant: error === undefined && passed('tool_call') && passed('round_trip'),
    ...(error && { error }),
  }
}

/** True when the model writes text, whether it calls tools or not. */
const runChecks = async (state: Run): Promise<boolean> => {
  if (state.connected.kind === 'local') {
    const since = performance.now()
    const can = await ollamaCapabilities(state.ctx, state.connected, state.signal)
    note(state, ['reach', 'auth', 'model'], since)
    if (can !== null && !can.includes('tools')) {
      note(state, ['tool_call'], since, NO_TOOLS)
      return can.includes('completion')
    }
  }
  const marker = newMarker()
  const text = `Call ${TOOL.name} once with marker "${marker}" and step 1. When you have its result, answer with the value of "echo" in it.`
  const asked = { role: 'user', text } as const
  const first = await ask(state, { messages: [asked], tools: [TOOL] }).catch((error: unknown) => {
    if (error instanceof ProviderError && error.code === 'AI_NO_TOOLS') return null
    throw error
  })
  if (first === null) return textOnly(state)
  const problem = callProblem(first.result, marker)
  note(state, ['tool_call'], first.since, problem)
  if (problem !== null) return true
  const echo = newMarker()
  const [call] = first.result.calls
  const results = [{ callId: call?.id ?? '', name: TOOL.name, content: JSON.stringify({ echo }), isError: false }]
  const { text: said, calls, replay } = first.result
  const messages = [
    asked,
    { role: 'assistant', text: said, calls, replay } as const,
    { role: 'tool', results } as const,
  ]
  const second = await ask(state, { messages, tools: [TOOL] })
  note(state, ['round_trip'], second.since, second.result.text.includes(echo) ? null : NO_ECHO)
  return true
}

const NO_TOOLS = "Works for the field assistant, but can't call tools."
const NO_ECHO = "The model didn't use the result of the tool."

/** A model that is refused with tools is asked for nothing but text. */
const textOnly = async (state: Run): Promise<boolean> => {
  const marker = newMarker()
  const text = `Answer with this text and nothing else: ${marker}`
  const { since } = await ask(state, { messages: [{ role: 'user', text }], tools: [] })
  note(state, ['tool_call'], since, NO_TOOLS)
  return true
}

/** One step. That it came to its end, piece by piece, shows all that lies before it. */
const ask = async (
  { ctx, connected, signal, used, ...state }: Run,
  asked: Pick<StepRequest, 'messages' | 'tools'>,
): Promise<{ result: StepResult; since: number }> => {
  const since = performance.now()
  let said = 0
  const onText = (delta: string) => {
    said += delta.length
  }
  const step = { ...asked, system: SYSTEM, maxOutputTokens: MAX_OUTPUT_TOKENS, signal, onText }
  const result = await runStep(ctx, connected, step).catch((error: unknown) => {
    // A step that broke off has still used tokens.
    if (said > 0) count(used, { input: estimateInput(step), output: estimateTokens(said) })
    throw error
  })
  count(used, result.usage)
  const isEmpty = result.text === '' && result.calls.length === 0
  note(state, ['reach', 'auth', 'model'], since)
  note(state, ['stream'], since, isEmpty ? 'The model returned an empty answer.' : null)
  if (isEmpty) throw new ProviderError('AI_BAD_RESPONSE', 'The model returned no answer.')
  return { result, since }
}

const count = (used: Run['used'], usage: StepResult['usage']): void => {
  used.input += usage.input
  used.output += usage.output
}

const callProblem = ({ calls }: StepResult, marker: string): string | null => {
  const [call] = calls
  if (call === undefined) return NO_TOOLS
  if (calls.length > 1 || call.name !== TOOL.name) return 'The model called the wrong tool.'
  const { args } = call
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  const isRight = isObject && 'marker' in args && args.marker === marker && 'step' in args && Number(args.step) === 1
  return isRight ? null : 'The model called the tool with the wrong values.'
}

const newMarker = (): string => `cms-${randomBytes(6).toString('hex')}`

/** Records the result of checks; the first result of each stays. */
const note = (
  { checks }: Pick<Run, 'checks'>,
  ids: readonly AiCheckId[],
  since: number,
  detail: string | null = null,
): void => {
  const ms = Math.round(performance.now() - since)
  for (const id of ids)
    if (!checks.has(id)) checks.set(id, { id, ok: detail === null, ms, ...(detail !== null && { detail }) })
}

/** Which check a failure is of, and what must have passed for it to happen. */
const FAILURES: Readonly<Partial<Record<string, { at: AiCheckId; passed: readonly AiCheckId[] }>>> = {
  AI_UNREACHABLE: { at: 'reach', passed: [] },
  AI_TIMEOUT: { at: 'stream', passed: [] },
  AI_AUTH: { at: 'auth', passed: ['reach'] },
  AI_QUOTA: { at: 'auth', passed: ['reach'] },
  AI_MODEL_NOT_FOUND: { at: 'model', passed: ['reach', 'auth'] },
  AI_STREAM_INTERRUPTED: { at: 'stream', passed: ['reach', 'auth', 'model'] },
}

const failed = (state: Run, cause: unknown): NonNullable<AiTest['error']> => {
  const isLate = state.signal.aborted
  if (!isLate && !(cause instanceof ProviderError)) throw cause
  const code = cause instanceof ProviderError && !isLate ? cause.code : 'AI_TIMEOUT'
  const message = messageOf(state.connected, code)
  const { at, passed } = FAILURES[code] ?? { at: 'stream', passed: ['reach'] }
  const since = performance.now()
  note(state, passed, since)
  const isSecond = state.checks.has('tool_call')
  note(state, [isSecond ? 'round_trip' : state.checks.has(at) ? 'stream' : at], since, message)
  return { code, message }
}

const messageOf = ({ kind, baseUrl }: Connected, code: ErrorCode): string =>
  code === 'AI_UNREACHABLE' && kind === 'local' ? `No model server responded at ${baseUrl}` : catalogue[code].message
