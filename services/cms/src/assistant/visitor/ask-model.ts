import { AppError } from '@stoa/kit/errors.ts'
import type { Ctx } from '../../context.ts'
import { error, fail } from '../../errors.ts'
import { reserveTokens, settleTokens } from '../connection/connection.ts'
import { type Connected, estimateInput, ProviderError, runStep, type StepRequest } from '../providers/providers.ts'

export type ModelQuestion = Pick<StepRequest, 'system' | 'maxOutputTokens' | 'signal'> & { readonly message: string }

/**
 * One exchange with the model, out of the tokens for visitors. Null when it declined. Any other failure is a 503: the
 * provider is not revealed to visitors, and half an answer is none.
 */
export const askModel = async (
  ctx: Ctx,
  connected: Connected,
  { system, message, maxOutputTokens, signal }: ModelQuestion,
): Promise<string | null> => {
  const request: StepRequest = {
    system,
    messages: [{ role: 'user', text: message }],
    tools: [],
    maxOutputTokens,
    signal,
    onText: () => undefined,
  }
  const input = estimateInput(request)
  const receipt = await reserve(ctx, input + maxOutputTokens)
  let usage: { input: number; output: number } | null = null
  try {
    const step = await runStep(ctx, connected, request)
    usage = step.usage
    return step.text
  } catch (raised) {
    // A partial answer has been paid for.
    if (!isUnanswered(raised)) usage = { input, output: 0 }
    return unanswered(ctx, raised, signal)
  } finally {
    await settleTokens(ctx, receipt, usage)
  }
}

const reserve = (ctx: Ctx, estimate: number) =>
  reserveTokens(ctx, { feature: 'visitor', accountId: null, estimate }).catch((raised: unknown) => {
    if (!(raised instanceof AppError) || raised.code !== 'AI_BUDGET_SPENT') throw raised
    // Whose budget it was is nobody's business out there.
    throw error('RATE_LIMITED', {
      message: 'This site has reached its limit of questions for today',
      ...(raised.headers && { headers: raised.headers }),
    })
  })

/** Failures before the provider began to work. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'AI_UNREACHABLE',
  'AI_AUTH',
  'AI_QUOTA',
  'AI_RATE_LIMITED',
  'AI_OVERLOADED',
  'AI_MODEL_NOT_FOUND',
])

const isUnanswered = (raised: unknown): boolean => raised instanceof ProviderError && UNANSWERED.has(raised.code)

const unanswered = (ctx: Pick<Ctx, 'log'>, raised: unknown, signal: AbortSignal): null => {
  if (raised instanceof ProviderError && raised.code === 'AI_REFUSED') return null
  if (!(raised instanceof ProviderError) && !signal.aborted) throw raised
  ctx.log.warn({ err: raised }, 'a visitor’s question could not be answered')
  return fail('UNAVAILABLE', { message: "This question couldn't be answered right now. Try again.", cause: raised })
}
