import type { ToolStep, TurnEvent, TurnPart } from '@stoa/cms-model/assistant.ts'
import { catalogue } from '../../errors.ts'
import type { MessageRecord } from './queries.ts'
import { textOf, toStored } from './stored.ts'

/** What a turn has done so far, as people see it. */
export type Progress = {
  addText(delta: string): void
  addTool(step: ToolStep): void
  endTool(step: ToolStep): void
  addProposal(proposalId: string): void
  textLength(): number
  proposals(): string[]
  /** The progress as stored, including a proposal that is being stored in the same transaction. */
  stored(proposalId?: string): { parts: string; text: string }
}

export const createProgress = (): Progress => {
  const parts: TurnPart[] = []
  let length = 0
  return {
    addText(delta) {
      length += delta.length
      const last = parts.at(-1)
      if (last?.kind === 'text') last.text += delta
      else if (delta !== '') parts.push({ kind: 'text', text: delta })
    },
    addTool: (step) => void parts.push({ kind: 'tool', ...step }),
    endTool(step) {
      const at = parts.findLastIndex((part) => part.kind === 'tool' && part.callId === step.callId)
      parts[at] = { kind: 'tool', ...step }
    },
    addProposal: (proposalId) => void parts.push({ kind: 'proposal', proposalId }),
    textLength: () => length,
    proposals: () => proposalsOf(parts),
    stored: (proposalId) => ({
      parts: toStored(proposalId === undefined ? parts : [...parts, { kind: 'proposal', proposalId }]),
      text: textOf(parts),
    }),
  }
}

export const proposalsOf = (parts: readonly TurnPart[]): string[] =>
  parts.filter((part) => part.kind === 'proposal').map(({ proposalId }) => proposalId)

/** One call of a tool, as sent in the event. */
export const toolEvent = ({ callId, tool, state, label, summary }: ToolStep): TurnEvent => ({
  event: 'tool',
  data: {
    callId,
    tool,
    state,
    label,
    ...(summary !== null && (state === 'error' ? { message: summary } : { summary })),
  },
})

/** How a stored turn ended; null while it runs. */
export const endEvent = (
  message: Pick<MessageRecord, 'id' | 'status' | 'stop' | 'error' | 'parts'>,
): TurnEvent | null => {
  const { id: messageId, status, stop, error, parts } = message
  if (status === 'streaming') return null
  if (error !== null) return { event: 'error', data: { messageId, ...error } }
  return { event: 'done', data: { messageId, stop: stop ?? 'end', proposals: proposalsOf(parts) } }
}

/** Somebody deleted the conversation while it was being answered. */
export const conversationGone = (messageId: string): TurnEvent => ({
  event: 'error',
  data: { messageId, code: 'NOT_FOUND', message: catalogue.NOT_FOUND.message, retryable: false },
})
