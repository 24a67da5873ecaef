import type { AssistantContext } from '@stoa/cms-model/assistant.ts'
import type { Ctx } from '../../context.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type Receipt, readAiSettings, requireConnected, reserveTokens } from '../connection/connection.ts'
import { type Connected, estimateInput, type StepRequest } from '../providers/providers.ts'
import { createReach, describeTools, toolsFor, type Versions } from '../tools/tools.ts'
import { compactTools } from './compact-tools.ts'
import { MAX_CONTEXT_TOKENS, modelMessages } from './history.ts'
import { systemPrompt } from './prompt.ts'
import type { HistoryRecord } from './queries.ts'
import type { StoredStep } from './stored.ts'

const MAX_OUTPUT_TOKENS = 4_096

/** Facts of a turn that stay the same for all of its steps. */
export type Subject = {
  readonly conversationId: string
  readonly messageId: string
  readonly question: string
  readonly context: AssistantContext | null
  readonly earlier: readonly HistoryRecord[]
  readonly site: { readonly title: string; readonly locale: string }
  /** Which versions of records the model has read; grows with the turn. */
  readonly versions: Versions
}

/** One exchange with the model, ready to be sent, with the rights that the person has now. */
export type StepPlan = {
  readonly ctx: Ctx<SessionPrincipal>
  readonly connected: Connected
  readonly request: Pick<StepRequest, 'system' | 'messages' | 'tools' | 'maxOutputTokens'>
  /** An estimate of the tokens that the model reads. */
  readonly inputTokens: number
  /** The tokens that were set aside for it. */
  readonly receipt: Receipt
}

/** Refuses when no provider is connected, or when the tokens of today are spent. */
export const planStep = async (
  ctx: Ctx<SessionPrincipal>,
  subject: Subject,
  steps: readonly StoredStep[],
): Promise<StepPlan> => {
  const connected = await requireConnected(ctx)
  const tools = await offeredTools(ctx, subject)
  const { account } = ctx.principal
  const system = systemPrompt({
    siteTitle: subject.site.title,
    locale: subject.site.locale,
    person: account,
    today: ctx.now(),
    context: subject.context,
  })
  const room = contextTokensOf(connected) - MAX_OUTPUT_TOKENS - estimateInput({ system, tools, messages: [] })
  const messages = modelMessages(subject.earlier, subject.question, steps, connected, room)
  const inputTokens = estimateInput({ system, tools, messages })
  const receipt = await reserveTokens(ctx, {
    feature: 'assistant',
    accountId: account.id,
    estimate: inputTokens + MAX_OUTPUT_TOKENS,
  })
  const request = { system, messages, tools, maxOutputTokens: MAX_OUTPUT_TOKENS }
  return { ctx, connected, request, inputTokens, receipt }
}

/** Ollama needs the context length of its models; that of other providers is larger than anybody wants to pay for. */
const contextTokensOf = ({ kind, contextTokens }: Connected): number =>
  kind === 'local' || kind === 'cloud' ? Math.min(contextTokens, MAX_CONTEXT_TOKENS) : MAX_CONTEXT_TOKENS

const offeredTools = async (ctx: Ctx<SessionPrincipal>, { context, versions }: Subject) => {
  const tools = await toolsFor(createReach(ctx, ctx.routes(), versions))
  const settings = await readAiSettings(ctx)
  return describeTools(settings.compactTools ? compactTools(tools, context?.screen ?? '') : tools)
}
