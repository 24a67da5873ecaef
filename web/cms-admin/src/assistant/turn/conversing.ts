import type { AssistantContext, ConversationDetail, MessageInput, TurnEvent } from '@stoa/cms-model/assistant.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { hasCode } from '../../api.ts'
import { type Chat, chatOf, NO_CHAT, questionOf, runningOf, withEvent, withQuestion } from './chat.ts'
import type { StreamEnd } from './stream.ts'

/** `lost`: the line broke, and is being picked up again. */
export type Line = 'idle' | 'loading' | 'sending' | 'answering' | 'lost'

export type State = {
  /** Null until the first message is sent. */
  readonly id: string | null
  readonly chat: Chat
  readonly line: Line
  /** Why a message was not sent, or the conversation not read. */
  readonly problem: string | undefined
  /** Text that could not be sent; the input starts with it. */
  readonly unsent: string
}

type Requests = {
  start: () => Promise<{ id: string }>
  read: (id: string) => Promise<ConversationDetail>
  stop: (id: string) => Promise<unknown>
  follow: (id: string, body: MessageInput, onEvent: (event: TurnEvent) => void) => Promise<StreamEnd>
}

type Options = {
  requests: Requests
  /** Draws everything of one frame at once: a fast model sends more than a screen can show. */
  onFrame: (run: () => void) => void
  /** Called with each event when it is shown. */
  onEvent: (event: TurnEvent) => void
  /** A turn is over, in whatever way. */
  onEnded: () => void
  now?: () => Date
  wait?: (ms: number) => Promise<void>
}

export type Conversing = {
  state: () => State
  subscribe: (listener: () => void) => () => void
  open: (id: string) => Promise<void>
  reset: () => void
  send: (text: string, context: AssistantContext | undefined) => Promise<void>
  /** Asks again what an answer failed to. */
  retry: (answerId: string, context: AssistantContext | undefined) => Promise<void>
  stop: () => Promise<void>
  /** Reads again what the service has, unless an answer is being written. */
  refresh: () => Promise<void>
}

const START: State = { id: null, chat: NO_CHAT, line: 'idle', problem: undefined, unsent: '' }
/** Before the line is picked up again; then it is the person's turn. */
const AGAIN_MS = [500, 2_000, 5_000, 10_000] as const

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** One conversation with the assistant, for as long as the page is open: closing the panel ends nothing. */
export const createConversing = ({ requests, onFrame, onEvent, onEnded, ...rest }: Options): Conversing => {
  const { now = () => new Date(), wait = sleep } = rest
  const listeners = new Set<() => void>()
  let state = START
  /** Grows with each conversation that is opened: what comes late for another one is not shown. */
  let visit = 0
  let waiting: TurnEvent[] = []

  const set = (changes: Partial<State>): void => {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }
  const begin = (changes: Partial<State>): number => {
    visit += 1
    waiting = []
    // Today's usage is the same in every conversation
    set({ ...START, chat: { ...NO_CHAT, usage: state.chat.usage }, ...changes })
    return visit
  }
  const flush = (): void => {
    const events = waiting
    waiting = []
    if (events.length === 0) return
    set({ chat: events.reduce((chat, event) => withEvent(chat, event, now()), state.chat), line: 'answering' })
    for (const event of events) onEvent(event)
  }
  const take = (mine: number, event: TurnEvent): void => {
    if (mine !== visit) return
    if (waiting.length === 0) onFrame(() => mine === visit && flush())
    waiting.push(event)
  }

  /** Follows an answer to its end, over lost lines. */
  const follow = async (mine: number, id: string, body: MessageInput): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      const outcome = await requests.follow(id, body, (event) => take(mine, event))
      if (mine !== visit) return
      flush()
      if (outcome === 'ended') break
      set({ line: 'lost' })
      const ms = AGAIN_MS[tries]
      if (ms === undefined) break
      await wait(ms)
      if (mine !== visit) return
      const isRunning = await catchUp(mine, id)
      if (mine !== visit) return
      if (isRunning === false) break
    }
    if (state.line !== 'lost') set({ line: 'idle' })
    onEnded()
  }

  /** Whether the answer is still being written; undefined when the service does not say. */
  const catchUp = async (mine: number, id: string): Promise<boolean | undefined> => {
    const before = state.chat
    try {
      const detail = await requests.read(id)
      // The chat changed during the request, so the response is outdated
      if (mine !== visit || state.chat !== before) return undefined
      set({ chat: chatOf(detail, state.chat), line: detail.busy ? 'lost' : 'idle' })
      return detail.busy
    } catch {
      // The next try asks again
      return undefined
    }
  }

  const resume = async (mine: number, id: string): Promise<void> => {
    const answer = runningOf(state.chat)
    const question = answer === undefined ? state.chat.messages.at(-1) : questionOf(state.chat, answer)
    if (!question?.clientId) return
    set({ line: 'answering' })
    const { text, clientId, context } = question
    await follow(mine, id, { text, clientId, ...(context ? { context } : {}) }).catch(() => {
      if (mine === visit) set({ line: 'lost' })
    })
  }

  const load = async (id: string): Promise<void> => {
    const mine = begin({ id, line: 'loading' })
    try {
      const detail = await requests.read(id)
      if (mine !== visit) return
      set({ chat: chatOf(detail, state.chat), line: 'idle' })
      if (detail.busy) await resume(mine, id)
    } catch (error) {
      if (mine !== visit) return
      if (hasCode(error, 'NOT_FOUND')) begin({})
      else set({ line: 'idle', problem: messageOf(error) })
    }
  }

  const send = async (text: string, context: AssistantContext | undefined): Promise<void> => {
    if (state.line !== 'idle' && state.line !== 'lost') return
    const mine = visit
    const clientId = newUuid()
    const before = state.chat
    set({
      chat: withQuestion(before, { id: clientId, text, context, now: now() }),
      line: 'sending',
      problem: undefined,
      unsent: '',
    })
    try {
      const id = state.id ?? (await requests.start()).id
      if (mine !== visit) return
      set({ id })
      await follow(mine, id, { text, clientId, ...(context ? { context } : {}) })
    } catch (error) {
      // Refused before it began: nothing of it is in the conversation
      if (mine === visit) set({ chat: before, line: 'idle', problem: messageOf(error), unsent: text })
    }
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: load,
    reset: () => void begin({}),
    send,
    retry: async (answerId, context) => {
      const question = questionOf(state.chat, answerId)
      if (question) await send(question.text, question.context ?? context)
    },
    stop: async () => {
      const { id } = state
      if (id === null) return
      try {
        await requests.stop(id)
      } catch (error) {
        set({ problem: messageOf(error) })
      }
    },
    refresh: async () => {
      const { id } = state
      if (id === null || state.line === 'sending' || state.line === 'answering') return
      if (state.problem !== undefined && state.chat.messages.length === 0) return load(id)
      const mine = visit
      if ((await catchUp(mine, id)) === true) await resume(mine, id)
    },
  }
}

/** `crypto.randomUUID` is only there on pages with TLS (RFC 9562, version 4). */
const newUuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
