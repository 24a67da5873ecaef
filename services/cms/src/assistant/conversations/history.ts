import { estimateTokens, type ModelMessage, type Replay, type ToolResult } from '../providers/providers.ts'
import type { HistoryRecord } from './queries.ts'
import type { StoredStep } from './stored.ts'

/** Of the largest conversation that any model is told; small models have less. */
export const MAX_CONTEXT_TOKENS = 60_000

type Provider = Pick<Replay, 'kind' | 'model'>
/** A question and all that was done about it: dropped as a whole, so that no call loses its result. */
type Turn = readonly ModelMessage[]

/** What the model is told: earlier turns, the question, and what this turn has done so far. */
export const modelMessages = (
  earlier: readonly HistoryRecord[],
  question: string,
  steps: readonly StoredStep[],
  provider: Provider,
  budget: number,
): ModelMessage[] => {
  const turns = toTurns(earlier, provider)
  const current: Turn = [{ role: 'user', text: question }, ...steps.flatMap((step) => stepMessages(step, provider))]
  return fitted(turns, current, budget)
}

export const messageTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(lengthOf(message)), 0)

const lengthOf = (message: ModelMessage): number => {
  switch (message.role) {
    case 'user':
      return message.text.length
    case 'assistant':
      // What is replayed stands in place of text and calls.
      return message.replay === null
        ? message.text.length + JSON.stringify(message.calls).length
        : JSON.stringify(message.replay.blocks).length
    case 'tool':
      return message.results.reduce((sum, { content }) => sum + content.length, 0)
  }
}

const toTurns = (records: readonly HistoryRecord[], provider: Provider): Turn[] => {
  const turns: ModelMessage[][] = []
  for (const record of records) {
    if (record.role === 'user') turns.push([{ role: 'user', text: record.text }])
    else turns.at(-1)?.push(...answerMessages(record, provider))
  }
  // A question without its answer, or the other way round, was cut off by the limit of what is read.
  return turns.filter((turn) => turn.length > 1)
}

const answerMessages = ({ steps, text, status }: HistoryRecord, provider: Provider): ModelMessage[] => {
  const messages = steps.flatMap((step) => stepMessages(step, provider))
  if (status === 'complete' && messages.at(-1)?.role === 'assistant') return messages
  // What was said after the last step that came to its end. Providers refuse empty messages.
  const said = steps.reduce((sum, step) => sum + step.text.length, 0)
  const rest = text.slice(said)
  const isWhole = status === 'complete' && rest !== ''
  const last = isWhole ? rest : `${rest}${rest && '\n'}${ENDINGS[status]}`
  return [...messages, { role: 'assistant', text: last, calls: [], replay: null }]
}

const ENDINGS: Record<HistoryRecord['status'], string> = {
  complete: '[The turn ended here.]',
  streaming: '[The answer was interrupted.]',
  failed: '[The answer was interrupted.]',
  stopped: '[The person stopped the answer.]',
}

const stepMessages = ({ text, calls, results, replay }: StoredStep, provider: Provider): ModelMessage[] => {
  if (text === '' && calls.length === 0) return []
  const isSame = replay !== null && replay.kind === provider.kind && replay.model === provider.model
  const said: ModelMessage = { role: 'assistant', text, calls, replay: isSame ? replay : null }
  return calls.length === 0 ? [said] : [said, { role: 'tool', results }]
}

/** Lets go of the oldest results first, then of the oldest turns; never of the question and the last results. */
const fitted = (turns: readonly Turn[], current: Turn, budget: number): ModelMessage[] => {
  const messages = [...turns.flat(), ...current]
  let total = messageTokens(messages)
  const last = messages.length - 1
  for (let at = 0; at < last && total > budget; at += 1) {
    const message = messages[at]
    if (message?.role !== 'tool') continue
    const short: ModelMessage = { role: 'tool', results: message.results.map(withoutContent) }
    total -= messageTokens([message]) - messageTokens([short])
    messages[at] = short
  }
  let dropped = 0
  for (const turn of turns) {
    if (total <= budget) break
    total -= messageTokens(messages.slice(dropped, dropped + turn.length))
    dropped += turn.length
  }
  return messages.slice(dropped)
}

const withoutContent = (result: ToolResult): ToolResult => {
  const content = JSON.stringify({ removed: true, note: `Call ${result.name} again if you need this` })
  return content.length < result.content.length ? { ...result, content } : result
}
