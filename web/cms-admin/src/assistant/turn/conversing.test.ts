import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConversationDetail, MessageInput, TurnEvent } from '@stoa/cms-model/assistant.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { type Chat, NO_CHAT, withEvent, withQuestion } from './chat.ts'
import { createConversing } from './conversing.ts'

const NOW = new Date('2026-11-17T10:00:00Z')
const start: TurnEvent = { event: 'start', data: { messageId: 'm', conversationId: 'c', model: 'x' } }
const text = (delta: string): TurnEvent => ({ event: 'text', data: { messageId: 'm', delta } })
const done: TurnEvent = { event: 'done', data: { messageId: 'm', stop: 'end', proposals: [] } }

type Answer = { events: TurnEvent[]; outcome: 'ended' | 'lost' } | Error

const detailOf = (chat: Chat, busy: boolean): ConversationDetail => ({
  id: 'c',
  title: '',
  busy,
  createdAt: NOW.toISOString(),
  updatedAt: NOW.toISOString(),
  messages: [...chat.messages],
  proposals: [],
})

/** A service with the given answers. */
const ground = ({ answers, reads = [] }: { answers: Answer[]; reads?: (ConversationDetail | Error)[] }) => {
  const sent: MessageInput[] = []
  let frames: (() => void)[] = []
  let ended = 0
  const conversing = createConversing({
    requests: {
      start: async () => ({ id: 'c' }),
      read: async () => {
        const next = reads.shift() ?? assert.fail('nothing to read')
        if (next instanceof Error) throw next
        return next
      },
      stop: async () => undefined,
      follow: async (_id, body, onEvent) => {
        sent.push(body)
        const next = answers.shift() ?? assert.fail('nothing is answered')
        if (next instanceof Error) throw next
        for (const event of next.events) onEvent(event)
        return next.outcome
      },
    },
    onFrame: (run) => frames.push(run),
    onEvent: () => undefined,
    onEnded: () => {
      ended += 1
    },
    now: () => NOW,
    wait: async () => undefined,
  })
  const draw = () => {
    const due = frames
    frames = []
    for (const run of due) run()
    return due.length
  }
  return { conversing, sent, draw, ended: () => ended }
}

const answerOf = (chat: Chat) => chat.messages.at(-1)

describe('a message', () => {
  test('is sent once, and its answer shown to its end', async () => {
    const { conversing, sent, ended } = ground({ answers: [{ events: [start, text('Hi'), done], outcome: 'ended' }] })
    await conversing.send('Hello', undefined)
    const { chat, line, id } = conversing.state()
    assert.deepEqual([line, id, ended()], ['idle', 'c', 1])
    assert.deepEqual(
      chat.messages.map(({ role, text: said, status }) => [role, said, status]),
      [
        ['user', 'Hello', 'complete'],
        ['assistant', 'Hi', 'complete'],
      ],
    )
    assert.match(sent[0]?.clientId ?? '', /^[0-9a-f-]{36}$/)
  })

  test('that is refused is given back to the person', async () => {
    const refusal = new RequestError({ message: 'No tokens left.', fields: [] }, 429, 'AI_BUDGET_SPENT')
    const { conversing } = ground({ answers: [refusal] })
    await conversing.send('Hello', undefined)
    const { chat, line, problem, unsent } = conversing.state()
    assert.deepEqual([chat.messages.length, line, problem, unsent], [0, 'idle', 'No tokens left.', 'Hello'])
  })

  test('that arrives in many pieces is drawn once in a frame', async () => {
    const pieces = Array.from({ length: 200 }, () => text('a'))
    const { conversing, draw } = ground({
      answers: [{ events: [start, ...pieces], outcome: 'lost' }, new Error('x')],
      reads: [],
    })
    let drawn = 0
    conversing.subscribe(() => {
      drawn += 1
    })
    const sending = conversing.send('Hello', undefined)
    await Promise.resolve()
    draw()
    await sending.catch(() => undefined)
    assert.ok(drawn < 10, `${drawn} times`)
  })
})

describe('a line that is lost', () => {
  const half = withEvent(
    withEvent(withQuestion(NO_CHAT, { id: 'q', text: 'Hello', context: undefined, now: NOW }), start, NOW),
    text('Ha'),
    NOW,
  )
  const whole = withEvent(withEvent(half, text('lf'), NOW), done, NOW)

  test('is picked up with the same message, and nothing is shown twice', async () => {
    const { conversing, sent } = ground({
      answers: [
        { events: [start, text('Ha')], outcome: 'lost' },
        { events: [start, text('Half'), done], outcome: 'ended' },
      ],
      reads: [detailOf(half, true)],
    })
    await conversing.send('Hello', undefined)
    assert.deepEqual(new Set(sent.map(({ clientId }) => clientId)).size, 1)
    assert.equal(sent.length, 2)
    assert.equal(answerOf(conversing.state().chat)?.text, 'Half')
    assert.equal(conversing.state().line, 'idle')
  })

  test('after which the answer is complete is read, not asked for again', async () => {
    const { conversing, sent } = ground({
      answers: [{ events: [start, text('Ha')], outcome: 'lost' }],
      reads: [detailOf(whole, false)],
    })
    await conversing.send('Hello', undefined)
    assert.equal(sent.length, 1)
    assert.equal(answerOf(conversing.state().chat)?.status, 'complete')
  })

  test('that stays lost is said, and never shown as an answer', async () => {
    const { conversing } = ground({
      answers: Array.from({ length: 9 }, () => ({ events: [], outcome: 'lost' as const })),
      reads: Array.from({ length: 9 }, () => detailOf(half, true)),
    })
    await conversing.send('Hello', undefined)
    assert.equal(conversing.state().line, 'lost')
    assert.equal(answerOf(conversing.state().chat)?.status, 'streaming')
  })
})

describe('a conversation that is opened', () => {
  const asked = withQuestion(NO_CHAT, { id: 'q', text: 'Hello', context: undefined, now: NOW })

  test('with an answer under way follows it', async () => {
    const { conversing, sent } = ground({
      answers: [{ events: [start, text('Hi'), done], outcome: 'ended' }],
      reads: [detailOf(withEvent(asked, start, NOW), true)],
    })
    await conversing.open('c')
    assert.deepEqual(
      sent.map(({ text: said, clientId }) => [said, clientId]),
      [['Hello', 'q']],
    )
    assert.equal(answerOf(conversing.state().chat)?.text, 'Hi')
  })

  test('and is not there any more makes room for a new one', async () => {
    const gone = new RequestError({ message: 'Not found.', fields: [] }, 404, 'NOT_FOUND')
    const { conversing } = ground({ answers: [], reads: [gone] })
    await conversing.open('c')
    assert.deepEqual([conversing.state().id, conversing.state().problem], [null, undefined])
  })
})
