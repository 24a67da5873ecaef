import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Proposal, TurnEvent } from '@stoa/cms-model/assistant.ts'
import { type Chat, NO_CHAT, questionOf, runningOf, shownMessages, withEvent, withQuestion } from './chat.ts'

const NOW = new Date('2026-11-17T10:00:00Z')

const after = (events: readonly TurnEvent[], from: Chat = NO_CHAT): Chat =>
  events.reduce((chat, event) => withEvent(chat, event, NOW), from)

const asked = withQuestion(NO_CHAT, { id: 'q', text: 'Shorten it', context: undefined, now: NOW })
const start: TurnEvent = { event: 'start', data: { messageId: 'm', conversationId: 'c', model: 'x' } }
const text = (delta: string): TurnEvent => ({ event: 'text', data: { messageId: 'm', delta } })
const tool = (state: 'running' | 'ok' | 'error', more: { summary?: string; message?: string } = {}): TurnEvent => ({
  event: 'tool',
  data: { callId: 't', tool: 'list_entries', state, label: 'Reading 20 of Articles', ...more },
})
// Only its id matters here
const proposal: TurnEvent = { event: 'proposal', data: { proposal: { id: 'p', status: 'proposed' } as Proposal } }
const done: TurnEvent = { event: 'done', data: { messageId: 'm', stop: 'end', proposals: ['p'] } }
const failed: TurnEvent = {
  event: 'error',
  data: { messageId: 'm', code: 'AI_STREAM_INTERRUPTED', message: 'Cut.', retryable: true },
}

const answerOf = ({ messages }: Chat) => messages.at(-1) ?? assert.fail('there is no answer')

describe('the events of a turn', () => {
  test('become text, steps and proposals in their order', () => {
    const chat = after(
      [
        start,
        text('I '),
        text('read.'),
        tool('running'),
        tool('ok', { summary: '20 of 212' }),
        text('Here:'),
        proposal,
        done,
      ],
      asked,
    )
    assert.deepEqual(answerOf(chat).parts, [
      { kind: 'text', text: 'I read.' },
      {
        kind: 'tool',
        callId: 't',
        tool: 'list_entries',
        state: 'ok',
        label: 'Reading 20 of Articles',
        summary: '20 of 212',
      },
      { kind: 'text', text: 'Here:' },
      { kind: 'proposal', proposalId: 'p' },
    ])
    assert.equal(answerOf(chat).text, 'I read.Here:')
    assert.deepEqual([answerOf(chat).status, answerOf(chat).stop], ['complete', 'end'])
    assert.equal(runningOf(chat), undefined)
    assert.equal(questionOf(chat, 'm')?.text, 'Shorten it')
  })

  test('that end in a failure keep the text, and nothing is under way any more', () => {
    const answer = answerOf(after([start, text('Half'), tool('running'), failed], asked))
    assert.deepEqual([answer.status, answer.text], ['failed', 'Half'])
    assert.deepEqual(answer.error, {
      code: 'AI_STREAM_INTERRUPTED',
      message: 'Cut.',
      retryable: true,
      providerText: null,
    })
    assert.equal(
      answer.parts.some((part) => part.kind === 'tool' && part.state === 'running'),
      false,
    )
  })

  test('without an end leave the answer open: it is not shown as complete', () => {
    const chat = after([start, text('Half')], asked)
    assert.equal(answerOf(chat).status, 'streaming')
    assert.equal(runningOf(chat), 'm')
  })

  test('that are sent again from the start show nothing twice', () => {
    const once = after([start, text('I '), tool('running'), proposal], asked)
    const again = after([start, text('I '), tool('running'), proposal, text('more'), done], once)
    assert.equal(again.messages.length, 2)
    assert.equal(answerOf(again).text, 'I more')
    assert.equal(answerOf(again).parts.filter(({ kind }) => kind === 'proposal').length, 1)
  })

  test('say why a step failed, that a person stopped, and where the assistant went', () => {
    const chat = after(
      [
        start,
        tool('error', { message: 'No such type' }),
        { event: 'navigate', data: { screen: 'media' } },
        { event: 'usage', data: { input: 1, output: 2, todayUsed: 3, todayLimit: 4 } },
        { event: 'done', data: { messageId: 'm', stop: 'stopped', proposals: [] } },
      ],
      asked,
    )
    const [part] = answerOf(chat).parts
    assert.equal(part?.kind === 'tool' && part.summary, 'No such type')
    assert.equal(answerOf(chat).status, 'stopped')
    assert.deepEqual(chat.visits.m, [{ screen: 'media' }])
    assert.equal(chat.usage?.todayUsed, 3)
  })
})

describe('a question that is asked again', () => {
  const again = (text: string, from: Chat): Chat =>
    withQuestion(from, { id: `${text} again`, text, context: undefined, now: NOW })
  const shown = (chat: Chat) => shownMessages(chat).map(({ role, text: said }) => `${role} ${said}`)

  test('because its answer failed or was stopped stands there once', () => {
    const stopped: TurnEvent = { event: 'done', data: { messageId: 'm', stop: 'stopped', proposals: [] } }
    for (const end of [failed, stopped]) {
      const chat = again('Shorten it', after([start, text('Half'), end], asked))
      assert.deepEqual(shown(chat), ['user Shorten it', 'assistant Half'])
      const third = again('Shorten it', after([{ ...start, data: { ...start.data, messageId: 'n' } }], chat))
      assert.equal(shown(third).filter((line) => line.startsWith('user')).length, 2, 'the second answer has not ended')
    }
  })

  test('after an answer, and another question, stand there', () => {
    const answered = after([start, text('Yes'), done], asked)
    assert.equal(shown(again('Shorten it', answered)).length, 3)
    assert.equal(shown(again('Longer', after([start, failed], asked))).length, 3)
  })
})
