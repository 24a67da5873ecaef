import { setTimeout as sleep } from 'node:timers/promises'
import type { AssistantError, StopReason, TurnEvent } from '@stoa/cms-model/assistant.ts'
import type { Ctx } from '../../context.ts'
import { catalogue } from '../../errors.ts'
import { readSession } from '../../people/authentication/authentication.ts'
import { appErrorOf } from '../../people/call-route/call-route.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { settleTokens, usedToday } from '../connection/connection.ts'
import { estimateTokens, ProviderError, runStep, type StepResult } from '../providers/providers.ts'
import { runCalls } from './calls.ts'
import { conversationGone, createProgress, endEvent, type Progress } from './progress.ts'
import { findTurn } from './queries.ts'
import { finishTurn, type Holder, saveStep, type TurnEnd } from './queries-turn.ts'
import { createSaver, type Saver } from './saver.ts'
import { planStep, type StepPlan, type Subject } from './step.ts'
import { INTERRUPTED, type StoredStep, toStored } from './stored.ts'
import { type RunningTurn, TurnEnding } from './turns.ts'

const MAX_STEPS = 12
/** The limit of a turn, including all retries of all steps. */
const TURN_MS = 600_000
/** Far more than twelve steps can say, or one of them can ask for. */
const MAX_TEXT_LENGTH = 400_000
const FINISH_ATTEMPTS = 3
const FINISH_PAUSE_MS = 500

type Person = Ctx<SessionPrincipal>

/** A turn that this process works on. */
export type Turn = {
  /** The context of the request that asked the question. */
  readonly ctx: Person
  readonly subject: Subject
  readonly holder: Holder
  readonly progress: Progress
  readonly saver: Saver
  readonly signal: AbortSignal
  /** The name of a call among all calls of the turn: some models begin to count anew in each step. */
  callIdFor(id: string): string
  emit(event: TurnEvent): void
}

/**
 * Answers a question: runs the model, executes the tools it calls and returns their results, until it calls no more.
 */
export const runTurn = async (
  ctx: Person,
  { subject, first }: { subject: Subject; first: StepPlan },
  { feed, controller }: RunningTurn,
): Promise<void> => {
  const { conversationId, messageId } = subject
  const turn = openTurn(ctx, subject, { feed, controller })
  const limit = setTimeout(() => controller.abort(failure('AI_TIMEOUT', true)), TURN_MS)
  turn.emit({ event: 'start', data: { messageId, conversationId, model: first.connected.model } })
  try {
    const stop = await takeSteps(turn, first)
    await finish(turn, { status: 'complete', stop, error: null })
  } catch (raised) {
    await finish(turn, endOf(turn, raised))
  } finally {
    clearTimeout(limit)
    await turn.saver.stop()
  }
}

const openTurn = (ctx: Person, subject: Subject, { feed, controller }: RunningTurn): Turn => {
  const holder = { messageId: subject.messageId, bootId: ctx.bootId }
  const progress = createProgress()
  const saver = createSaver(ctx, { holder, progress, controller })
  const callIds = new Set<string>()
  return {
    ctx,
    subject,
    holder,
    progress,
    saver,
    signal: controller.signal,
    callIdFor(id) {
      const name = callIds.has(id) ? `${id}-${callIds.size}` : id
      callIds.add(name)
      return name
    },
    emit(event) {
      saver.touch()
      feed.emit(event)
    },
  }
}

const takeSteps = async (turn: Turn, first: StepPlan): Promise<StopReason> => {
  const steps: StoredStep[] = []
  for (let n = 1; n <= MAX_STEPS; n += 1) {
    const plan = n === 1 ? first : await planStep(await current(turn.ctx), turn.subject, steps)
    turn.emit({ event: 'step', data: { n, max: MAX_STEPS } })
    const { stop, text, calls, replay, usage } = await askModel(turn, plan)
    const known = new Map(turn.subject.versions)
    // A right that was lost while the model was thinking no longer counts.
    const results = stop === 'tools' ? await runCalls(turn, await current(turn.ctx), calls) : []
    const read = [...turn.subject.versions].filter(([key, version]) => known.get(key) !== version)
    const step: StoredStep = { text, calls: [...calls], results, replay, read }
    steps.push(step)
    const saved = { step: toStored([step]), tokensIn: usage.input, tokensOut: usage.output }
    await turn.saver.save((tx) => saveStep(tx, { ...turn.holder, ...turn.progress.stored(), ...saved }))
    if (stop !== 'tools') return stop
    turn.signal.throwIfAborted()
  }
  return 'max_steps'
}

/** The person as currently stored in the database. */
const current = async (ctx: Person): Promise<Person> => ({ ...ctx, principal: await readSession(ctx, ctx.principal) })

/** One exchange. Whatever becomes of it, its tokens are settled. */
const askModel = async (
  turn: Turn,
  { ctx, connected, request, receipt, inputTokens }: StepPlan,
): Promise<StepResult> => {
  const { messageId } = turn.subject
  const before = turn.progress.textLength()
  const onText = (delta: string): void => {
    if (delta === '') return
    turn.progress.addText(delta)
    if (turn.progress.textLength() > MAX_TEXT_LENGTH) throw failure('AI_BAD_RESPONSE', false)
    turn.emit({ event: 'text', data: { messageId, delta } })
  }
  let result: StepResult
  if (turn.signal.aborted) await settleTokens(ctx, receipt, null)
  turn.signal.throwIfAborted()
  try {
    result = await runStep(ctx, connected, { ...request, signal: turn.signal, onText })
  } catch (error) {
    const said = turn.progress.textLength() - before
    const usage = said === 0 && isUnused(error) ? null : { input: inputTokens, output: estimateTokens(said) }
    await settleTokens(ctx, receipt, usage)
    throw error
  }
  await settleTokens(ctx, receipt, result.usage)
  const { used, limit } = await usedToday(ctx, ctx.principal.account.id)
  turn.emit({ event: 'usage', data: { ...result.usage, todayUsed: used, todayLimit: limit } })
  if (JSON.stringify(result.calls).length > MAX_TEXT_LENGTH) throw failure('AI_BAD_RESPONSE', false)
  return result
}

const failure = (code: 'AI_TIMEOUT' | 'AI_BAD_RESPONSE', retryable: boolean): ProviderError =>
  new ProviderError(code, catalogue[code].message, { retryable })

/** The provider said no before it did anything. */
const UNUSED: ReadonlySet<string> = new Set([
  'AI_AUTH',
  'AI_CONTEXT_FULL',
  'AI_MODEL_NOT_FOUND',
  'AI_NO_TOOLS',
  'AI_OVERLOADED',
  'AI_QUOTA',
  'AI_RATE_LIMITED',
  'AI_UNREACHABLE',
])
const isUnused = (error: unknown): boolean => error instanceof ProviderError && UNUSED.has(error.code)

/** The end of a turn that did not complete. */
const endOf = ({ ctx, signal, subject }: Turn, raised: unknown): TurnEnd => {
  const cause: unknown = signal.aborted ? signal.reason : raised
  if (cause instanceof TurnEnding && cause.how === 'stopped') return { status: 'stopped', stop: 'stopped', error: null }
  const error = cause instanceof TurnEnding ? INTERRUPTED : errorOf(ctx, subject.messageId, cause)
  return { status: 'failed', stop: null, error }
}

const errorOf = ({ log }: Person, messageId: string, cause: unknown): AssistantError => {
  if (cause instanceof ProviderError) {
    const { code, message, retryable, providerText } = cause
    if (cause.cause !== undefined) log.warn({ err: cause.cause, code, messageId }, 'the AI provider failed')
    return { code, message, retryable, providerText }
  }
  const { code, message, status } = appErrorOf(cause)
  if (code === 'INTERNAL') log.error({ err: cause, messageId }, 'a turn of the assistant failed')
  return { code, message, retryable: status >= 500 && code !== 'AI_NOT_CONNECTED', providerText: null }
}

/**
 * Stores how the turn ended, then sends it. An end that can't be stored is not sent: readers see a broken connection.
 */
const finish = async ({ ctx, holder, progress, saver, emit }: Turn, end: TurnEnd): Promise<void> => {
  const { messageId } = holder
  await saver.stop()
  for (let attempt = 1; ; attempt += 1)
    try {
      await ctx.tx((tx) => finishTurn(tx, { ...holder, ...progress.stored(), ...end }))
      break
    } catch (error) {
      if (attempt >= FINISH_ATTEMPTS) throw error
      await sleep(FINISH_PAUSE_MS * attempt)
    }
  const found = await findTurn(ctx.db, holder)
  const event = found === null ? conversationGone(messageId) : endEvent(found.message)
  if (event !== null) emit(event)
}
