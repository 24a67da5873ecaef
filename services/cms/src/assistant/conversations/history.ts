import { estimateTokens, type ModelMessage, type Replay, type ToolResult } from '../providers/providers.ts'
import type { HistoryRecord } from './queries.ts'
import type { StoredStep } from './stored.ts'

/** The limit of the largest conversation that is sent to any model; small models get less. */
export const MAX_CONTEXT_TOKENS = 60_000

type Provider = Pick<Replay, 'kind' | 'model'>
/** A question and all that was done about it: dropped as a whole, so that no call loses its result. */
type Turn = readonly ModelMessage[]

/** What is sent to the model: earlier turns, the question, and what this turn has done so far. */
export const modelMessages = (
  earlier: readonly HistoryRecord[],
  question: string,
  steps: readonly StoredStep[],
  provider: Provider,
  budget: number,
): ModelMessage[] => {
  const turns = toTurns(earlier, provider)
  const current: Turn = [{ role: 'user', text: question }, ...stepsMessages('now', steps, provider)]
  return fitted(turns, current, budget)
}

export const messageTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(lengthOf(message)), 0)

const lengthOf = (message: ModelMessage): number => {
  switch (message.role) {
    case 'user':
      return message.text.length
    case 'assistant':
      // Replay blocks are sent in place of text and calls.
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

const answerMessages = ({ id, steps, text, status }: HistoryRecord, provider: Provider): ModelMessage[] => {
  const messages = stepsMessages(id, steps, provider)
  if (status === 'complete' && messages.at(-1)?.role === 'assistant') return messages
  // The text after the last completed step.
  const said = steps.reduce((sum, step) => sum + step.text.length, 0)
  const rest = text.slice(said)
  const isWhole = status === 'complete' && rest.trim() !== ''
  const last = isWhole ? rest : `${rest}${rest && '\n'}${ENDINGS[status]}`
  return [...messages, { role: 'assistant', text: last, calls: [], replay: null }]
}

const ENDINGS: Record<HistoryRecord['status'], string> = {
  complete: '[The turn ended here.]',
  streaming: '[The answer was interrupted.]',
  failed: '[The answer was interrupted.]',
  stopped: '[The person stopped the answer.]',
}

const stepsMessages = (turn: string, steps: readonly StoredStep[], provider: Provider): ModelMessage[] =>
  steps.flatMap((step, n) => stepMessages(`${turn}_${n}`, step, provider))

const stepMessages = (name: string, step: StoredStep, provider: Provider): ModelMessage[] => {
  // Providers refuse messages without a word.
  if (step.text.trim() === '' && step.calls.length === 0) return []
  const isOwn = step.replay !== null && step.replay.kind === provider.kind && step.replay.model === provider.model
  const { text, calls, results, replay } = isOwn ? step : { ...withOwnIds(name, step), replay: null }
  const said: ModelMessage = { role: 'assistant', text, calls, replay }
  return calls.length === 0 ? [said] : [said, { role: 'tool', results }]
}

/** Other providers count calls anew in each step, or name them in ways that this one does not take. */
const withOwnIds = (
  name: string,
  { text, calls, results }: StoredStep,
): Pick<StoredStep, 'text' | 'calls' | 'results'> => ({
  text,
  calls: calls.map((call, at) => ({ ...call, id: `${name}_${at}` })),
  results: results.map((result, at) => ({ ...result, callId: `${name}_${at}` })),
})

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
