import { randomBytes } from 'node:crypto'
import type { AssistantError, FieldAssistantInput, FieldEvent } from '@stoa/cms-model/assistant.ts'
import { type EventStream, openEventStream } from '@stoa/kit/http/sse.ts'
import type { Ctx } from '../../context.ts'
import { catalogue } from '../../errors.ts'
import { accountOf } from '../../principal.ts'
import { type Receipt, requireConnected, reserveTokens, settleTokens } from '../connection/connection.ts'
import {
  type Connected,
  estimateInput,
  estimateTokens,
  ProviderError,
  runStep,
  type StepRequest,
  type StepResult,
} from '../providers/providers.ts'
import { cleanAlt, cleanSuggestion, shownLength } from './clean.ts'
import { flagsOf } from './flags.ts'
import { type Subject, subjectOf } from './input.ts'
import { type Material, readMaterial } from './material.ts'
import { promptFor } from './prompts.ts'
import { requireVision, withoutVision } from './vision.ts'

const PING_MS = 15_000
const MIN_OUTPUT_TOKENS = 2_048
const MAX_OUTPUT_TOKENS = 8_192
/** More than so many tokens are; a provider that sends it is malicious or broken, and cleaning it would take long. */
const MAX_ANSWER_LENGTH = 100_000

/**
 * Suggests a value for a field. An invalid request is rejected at once; after that everything is sent as events, and
 * `done` only when the provider confirmed that its response is complete. Nothing is stored.
 */
export const suggestValue = async (ctx: Ctx, input: FieldAssistantInput): Promise<EventStream> => {
  const subject = subjectOf(input)
  const connected = await requireConnected(ctx)
  const material = await readMaterial(ctx, input, subject)
  if (material.picture !== null) await requireVision(ctx, connected)
  const asked = requestOf(input, subject, material)
  const estimate = estimateInput(asked) + asked.maxOutputTokens
  const receipt = await reserveTokens(ctx, { feature: 'field', accountId: accountOf(ctx).id, estimate })
  const events = openEventStream({ heartbeatMs: PING_MS })
  void answer(ctx, { input, subject, connected, asked, receipt, events })
  return events
}

type Asked = Omit<StepRequest, 'signal' | 'onText'>

type Job = {
  readonly input: FieldAssistantInput
  readonly subject: Subject
  readonly connected: Connected
  readonly asked: Asked
  readonly receipt: Receipt
  readonly events: EventStream
}

const requestOf = (input: FieldAssistantInput, subject: Subject, material: Material): Asked => {
  const mark = `content-${randomBytes(6).toString('hex')}`
  const { around: context, locale, picture } = material
  const { system, user } = promptFor({ ...input, kind: subject.kind, subject: subject.content, context, locale, mark })
  return {
    system,
    messages: [{ role: 'user', text: user, ...(picture && { pictures: [picture] }) }],
    tools: [],
    maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, Math.max(MIN_OUTPUT_TOKENS, subject.content.length)),
  }
}

/** Exactly one of `done` and `error` ends the stream, once its tokens are counted. */
const answer = async (ctx: Ctx, { input, subject, connected, asked, receipt, events }: Job): Promise<void> => {
  let seq = 0
  let text = ''
  const send = ({ event, data }: FieldEvent): Promise<void> => {
    seq += 1
    return events.send({ event, id: String(seq), data: JSON.stringify(data) })
  }
  const onText = (delta: string): void => {
    text += delta
    void send({ event: 'text', data: { delta } })
  }
  let used: StepResult['usage'] | null = null
  let last: FieldEvent
  await send({ event: 'start', data: { model: connected.model } })
  try {
    const result = await runStep(ctx, connected, { ...asked, signal: events.signal, onText })
    used = result.usage
    last = { event: 'done', data: suggestionOf(input, subject, result) }
  } catch (raised) {
    // If the provider reports no usage, it is estimated: no text is free.
    used ??= text === '' ? null : { input: estimateInput(asked), output: estimateTokens(text.length) }
    last = { event: 'error', data: errorOf(ctx, raised, { asked, isLeft: events.signal.aborted }) }
  }
  await settleTokens(ctx, receipt, used).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'the tokens of a suggestion are not settled'),
  )
  await send(last)
  events.end()
}

/** The suggestion as the field may hold it, with what to look at. */
const suggestionOf = (
  input: FieldAssistantInput,
  { kind, content, isPart }: Subject,
  { text, stop }: StepResult,
): { value: string; flags: ReturnType<typeof flagsOf> } => {
  if (stop === 'length') throw unusable('The answer is too long for the model. Select a shorter part.')
  if (stop !== 'end' || text.length > MAX_ANSWER_LENGTH) throw unusable()
  if (input.action === 'alt') {
    const alt = cleanAlt(text) ?? nothing()
    return { value: alt.value, flags: alt.isCut ? ['shortened'] : [] }
  }
  const value = cleanSuggestion(kind, text, { options: input.options, subject: content })
  if (value === null) return kind === 'select' ? noOption() : nothing()
  const flags = flagsOf({ ...input, kind, before: content, after: value, isPart })
  const isLong = input.limit !== undefined && kind !== 'select' && shownLength(kind, value) > input.limit
  return { value, flags: isLong ? [...flags, 'shortened'] : flags }
}

const unusable = (message: string = catalogue.AI_BAD_RESPONSE.message): ProviderError =>
  new ProviderError('AI_BAD_RESPONSE', message, { retryable: true })

const nothing = (): never => {
  throw unusable('The model returned an empty answer. Try again.')
}

const noOption = (): never => {
  throw unusable('The model chose none of the options. Try again.')
}

const errorOf = (ctx: Ctx, raised: unknown, { asked, isLeft }: { asked: Asked; isLeft: boolean }): AssistantError => {
  if (raised instanceof ProviderError) {
    const hasPicture = asked.messages.some((message) => message.role === 'user' && message.pictures !== undefined)
    const { code, message, retryable, providerText } = hasPicture ? withoutVision(raised) : raised
    return { code, message, retryable, providerText }
  }
  // The client that left is the reason that it ended
  if (!isLeft) ctx.log.error({ err: raised }, 'a suggestion failed')
  return { code: 'INTERNAL', message: catalogue.INTERNAL.message, retryable: true, providerText: null }
}
