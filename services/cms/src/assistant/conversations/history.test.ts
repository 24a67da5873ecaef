import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelMessage } from '../providers/types.ts'
import { messageTokens, modelMessages } from './history.ts'
import type { HistoryRecord } from './queries.ts'
import type { StoredStep } from './stored.ts'

const LOCAL = { kind: 'local', model: 'small' } as const
let ids = 0

const step = (members: Partial<StoredStep> = {}): StoredStep => ({
  text: '',
  calls: [],
  results: [],
  replay: null,
  read: [],
  ...members,
})
const reading = (content: string, members: Partial<StoredStep> = {}): StoredStep => {
  const id = `call_${++ids}`
  return step({
    calls: [{ id, name: 'get_entry', args: { id: '1' } }],
    results: [{ callId: id, name: 'get_entry', content, isError: false }],
    ...members,
  })
}
const asked = (text: string): HistoryRecord => ({ id: `m${++ids}`, role: 'user', text, status: 'complete', steps: [] })
const answered = (steps: StoredStep[], members: Partial<HistoryRecord> = {}): HistoryRecord => ({
  id: `m${++ids}`,
  role: 'assistant',
  text: steps.map(({ text }) => text).join(''),
  status: 'complete',
  steps,
  ...members,
})
const linesOf = (messages: readonly ModelMessage[]): string[] =>
  messages.map((message) => {
    if (message.role === 'tool') return `results ${message.results.map(({ content }) => content).join(' ')}`
    if (message.role === 'user') return `user ${message.text}`
    return `assistant ${message.text}${message.calls.map(({ name }) => ` ${name}`).join('')}`
  })
const requireWhole = (messages: readonly ModelMessage[]) => {
  assert.equal(messages[0]?.role, 'user')
  messages.forEach((message, at) => {
    const next = messages[at + 1]
    if (message.role === 'assistant' && message.calls.length > 0) {
      assert.ok(next?.role === 'tool', 'a call without its result')
      assert.deepEqual(
        next.results.map(({ callId }) => callId),
        message.calls.map(({ id }) => id),
      )
    }
    if (message.role === 'tool') assert.equal(messages[at - 1]?.role, 'assistant')
  })
}

describe('the history sent to the model', () => {
  test('is the conversation with its calls and results, then the question and the steps of this turn', () => {
    const earlier = [asked('Hello'), answered([reading('{"a":1}', { text: 'Look. ' }), step({ text: 'It is a.' })])]
    const messages = modelMessages(earlier, 'And b?', [reading('{"b":2}')], LOCAL, 10_000)
    assert.deepEqual(linesOf(messages), [
      'user Hello',
      'assistant Look.  get_entry',
      'results {"a":1}',
      'assistant It is a.',
      'user And b?',
      'assistant  get_entry',
      'results {"b":2}',
    ])
    requireWhole(messages)
  })

  test('holds what was said before a turn was cut off or stopped, and says so', () => {
    const earlier = [
      asked('One'),
      answered([reading('{}', { text: 'First. ' })], { status: 'failed', text: 'First. Then I' }),
      asked('Two'),
      answered([], { status: 'stopped', text: '' }),
    ]
    const messages = modelMessages(earlier, 'Three', [], LOCAL, 10_000)
    assert.deepEqual(linesOf(messages).slice(3), [
      'assistant Then I\n[The answer was interrupted.]',
      'user Two',
      'assistant [The person stopped the answer.]',
      'user Three',
    ])
  })

  test('of a turn whose steps are no longer read it is what was said', () => {
    const messages = modelMessages([asked('One'), answered([], { text: 'Long ago.' })], 'Two', [], LOCAL, 10_000)
    assert.deepEqual(linesOf(messages), ['user One', 'assistant Long ago.', 'user Two'])
  })

  test("a provider's own blocks go back to the same kind and model only", () => {
    const replay = { ...LOCAL, blocks: [{ thinking: 'hm' }] }
    const earlier = [asked('One'), answered([step({ text: 'Yes', replay })])]
    const blocks = (provider: Parameters<typeof modelMessages>[3]) =>
      modelMessages(earlier, 'Two', [], provider, 10_000).map((message) =>
        message.role === 'assistant' ? message.replay : undefined,
      )[1]
    assert.deepEqual(blocks(LOCAL), replay)
    assert.equal(blocks({ kind: 'local', model: 'other' }), null)
    assert.equal(blocks({ kind: 'a', model: 'small' }), null)
  })

  test('calls that are not replayed in the format of their provider have unique names', () => {
    const again = () => ({ ...reading('{}'), calls: [{ id: 'call_1', name: 'get_entry', args: {} }] })
    const named = () => ({
      ...again(),
      results: [{ callId: 'call_1', name: 'get_entry', content: '{}', isError: false }],
    })
    const own = { ...named(), replay: { ...LOCAL, blocks: [] } }
    const earlier = [asked('One'), answered([named(), named(), own, step({ text: 'Yes' })])]
    const messages = modelMessages(earlier, 'Two', [named(), named()], LOCAL, 10_000)
    requireWhole(messages)
    const ids = messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : []))
    assert.equal(new Set(ids).size, 5)
    assert.equal(ids[2], 'call_1', 'its own are as they were')
    for (const id of ids) assert.match(id, /^[\w-]{1,64}$/)
  })

  test('lets go of the oldest results first, then of the oldest turns, and never of a result without its call', () => {
    const big = 'x'.repeat(4_000)
    const earlier = Array.from({ length: 6 }, (_, at) => [
      asked(`question ${at}`),
      answered([reading(`${at}${big}`), step({ text: `answer ${at} ${'y'.repeat(400)}` })]),
    ]).flat()
    for (const budget of [8_000, 4_000, 2_500, 1_500, 1_100, 500, 10]) {
      const messages = modelMessages(earlier, 'now', [reading(`a${big}`), reading(`b${big}`)], LOCAL, budget)
      requireWhole(messages)
      const lines = linesOf(messages)
      assert.ok(lines.includes('user now'))
      assert.equal(lines.at(-1), `results b${big}`, 'what was read last stays')
      if (budget >= 1_500) assert.ok(messageTokens(messages) <= budget, String(budget))
    }
    const middle = linesOf(modelMessages(earlier, 'now', [reading(`b${big}`)], LOCAL, 4_000))
    assert.equal(middle.filter((line) => line.startsWith('user question')).length, 6, 'all turns are there')
    assert.match(middle[2] ?? '', /removed/)
    assert.match(middle[2] ?? '', /Call get_entry again/)
    assert.doesNotMatch(middle.at(-4) ?? '', /removed/)
    const short = linesOf(modelMessages(earlier, 'now', [reading(`b${big}`)], LOCAL, 1_500))
    assert.equal(short[0], 'user question 3')
  })

  test('begins with a question, whatever the limit of what is read has cut off', () => {
    const messages = modelMessages([answered([step({ text: 'late' })]), asked('alone')], 'now', [], LOCAL, 1_000)
    assert.deepEqual(linesOf(messages), ['user now'])
  })
})
