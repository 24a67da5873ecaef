import type {
  AssistantContext,
  AssistantMessage,
  ConversationDetail,
  Proposal,
  TurnEvent,
  TurnEvents,
  TurnPart,
} from '@stoa/cms-model/assistant.ts'

/** A conversation as the panel shows it. Nothing in here changes; every event makes a new one. */
export type Chat = {
  readonly messages: readonly AssistantMessage[]
  readonly proposals: Readonly<Record<string, Proposal>>
  readonly step: TurnEvents['step'] | null
  readonly usage: TurnEvents['usage'] | null
  /** Screens that the assistant opened or points to, by the message in which it did. */
  readonly visits: Readonly<Record<string, readonly TurnEvents['navigate'][]>>
}

export const NO_CHAT: Chat = { messages: [], proposals: {}, step: null, usage: null, visits: {} }

/** The chat as the service stores it; members known only to this browser stay. */
export const chatOf = (detail: ConversationDetail, before: Chat = NO_CHAT): Chat => ({
  ...before,
  messages: detail.messages,
  proposals: Object.fromEntries(detail.proposals.map((proposal) => [proposal.id, proposal])),
  step: null,
})

type Asked = { id: string; text: string; context: AssistantContext | undefined; now: Date }

/** Adds a question that was just sent, before the service has stored it. */
export const withQuestion = (chat: Chat, { id, text, context, now }: Asked): Chat => ({
  ...chat,
  messages: [...chat.messages, { ...blank(id, 'user', now), text, clientId: id, context: context ?? null }],
})

/** A turn goes on by this event. */
export const withEvent = (chat: Chat, { event, data }: TurnEvent, now: Date): Chat => {
  switch (event) {
    case 'start': {
      const begun = { ...blank(data.messageId, 'assistant', now), status: 'streaming' as const, model: data.model }
      const isKnown = chat.messages.some(({ id }) => id === data.messageId)
      // The stream replays the turn from its beginning, also to those who reconnect
      return isKnown
        ? { ...change(chat, data.messageId, () => begun), step: null }
        : { ...chat, messages: [...chat.messages, begun], step: null }
    }
    case 'text':
      return change(chat, data.messageId, (message) => ({
        ...message,
        text: message.text + data.delta,
        parts: withText(message.parts, data.delta),
      }))
    case 'step':
      return { ...chat, step: data }
    case 'tool':
      return change(chat, runningOf(chat), (message) => ({ ...message, parts: withTool(message.parts, data) }))
    case 'proposal':
      return withProposal(chat, data.proposal)
    case 'navigate': {
      const id = runningOf(chat)
      return id === undefined ? chat : { ...chat, visits: { ...chat.visits, [id]: [...(chat.visits[id] ?? []), data] } }
    }
    case 'usage':
      return { ...chat, usage: data }
    case 'done':
      return ended(chat, data.messageId, (message) => ({
        ...message,
        status: data.stop === 'stopped' ? 'stopped' : 'complete',
        stop: data.stop,
      }))
    case 'error': {
      const { messageId, ...error } = data
      return ended(chat, messageId, (message) => ({
        ...message,
        status: 'failed',
        error: { ...error, providerText: error.providerText ?? null },
      }))
    }
  }
}

/** The answer that is being written. */
export const runningOf = ({ messages }: Chat): string | undefined =>
  messages.findLast(({ status }) => status === 'streaming')?.id

/** The question that an answer belongs to. */
export const questionOf = ({ messages }: Chat, answerId: string): AssistantMessage | undefined => {
  const at = messages.findIndex(({ id }) => id === answerId)
  return messages.slice(0, at === -1 ? messages.length : at).findLast(({ role }) => role === 'user')
}

/** The messages to show: a question that was asked again because its answer failed or was stopped stands there once. */
export const shownMessages = ({ messages }: Chat): readonly AssistantMessage[] =>
  messages.filter((message, index) => {
    const answer = messages[index - 1]
    if (message.role !== 'user' || answer?.role !== 'assistant') return true
    const isAgain = answer.status === 'failed' || answer.status === 'stopped'
    const before = messages.slice(0, index).findLast(({ role }) => role === 'user')
    return !isAgain || before?.text !== message.text
  })

const blank = (id: string, role: 'user' | 'assistant', now: Date): AssistantMessage => ({
  id,
  role,
  text: '',
  parts: [],
  status: 'complete',
  stop: null,
  error: null,
  clientId: null,
  context: null,
  masked: false,
  model: null,
  tokensIn: 0,
  tokensOut: 0,
  createdAt: now.toISOString(),
})

type Edit = (message: AssistantMessage) => AssistantMessage

const change = (chat: Chat, id: string | undefined, edit: Edit): Chat => ({
  ...chat,
  messages: chat.messages.map((message) => (message.id === id ? edit(message) : message)),
})

const ended = (chat: Chat, id: string, edit: Edit): Chat => ({
  ...change(chat, id, (message) => edit({ ...message, parts: message.parts.map(withoutWaiting) })),
  step: null,
})

/** Clears waiting states: a turn that has ended has no work in progress. */
const withoutWaiting = (part: TurnPart): TurnPart =>
  part.kind === 'tool' && part.state === 'running' ? { ...part, state: 'error' } : part

const withText = (parts: readonly TurnPart[], delta: string): TurnPart[] => {
  const last = parts.at(-1)
  return last?.kind === 'text'
    ? [...parts.slice(0, -1), { kind: 'text', text: last.text + delta }]
    : [...parts, { kind: 'text', text: delta }]
}

const withTool = (parts: readonly TurnPart[], data: TurnEvents['tool']): TurnPart[] => {
  const before = parts.find((part) => part.kind === 'tool' && part.callId === data.callId)
  const step: TurnPart = {
    kind: 'tool',
    callId: data.callId,
    tool: data.tool,
    state: data.state,
    label: data.label ?? (before?.kind === 'tool' ? before.label : data.tool),
    summary: data.summary ?? data.message ?? null,
  }
  return before ? parts.map((part) => (part === before ? step : part)) : [...parts, step]
}

const withProposal = (chat: Chat, proposal: Proposal): Chat => {
  const proposals = { ...chat.proposals, [proposal.id]: proposal }
  const known = chat.messages.some(({ parts }) =>
    parts.some((part) => part.kind === 'proposal' && part.proposalId === proposal.id),
  )
  if (known) return { ...chat, proposals }
  const part: TurnPart = { kind: 'proposal', proposalId: proposal.id }
  return change({ ...chat, proposals }, runningOf(chat), (message) => ({ ...message, parts: [...message.parts, part] }))
}
