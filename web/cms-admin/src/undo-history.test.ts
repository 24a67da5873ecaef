import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  emptyHistory,
  type History,
  JOIN_MS,
  MAX_STEPS,
  nextStep,
  recorded,
  restated,
  type Step,
  stepEnded,
  turned,
  untouchedMembers,
  withoutSource,
} from './undo-history.ts'

const stepOf = (changes: Partial<Step>): Step => ({
  source: 'settings',
  before: { title: 'A' },
  after: { title: 'B' },
  at: 0,
  place: 'title',
  label: '',
  ...changes,
})
const historyOf = (...steps: Partial<Step>[]): History =>
  steps.reduce<History>((history, step) => recorded(history, stepOf(step)), emptyHistory)

describe('the history', () => {
  test('typing at one place is one step from its first value to its last, until a pause', () => {
    const { past } = historyOf(
      { before: { title: 'A', slug: 'a' }, after: { title: 'B', slug: 'b' } },
      { before: { title: 'B' }, after: { title: 'BC' }, at: JOIN_MS - 1 },
      { before: { title: 'BC' }, after: { title: 'BCD' }, at: 2 * JOIN_MS },
    )
    assert.equal(past.length, 2)
    assert.deepEqual(
      [past[0]?.before, past[0]?.after],
      [
        { title: 'A', slug: 'a' },
        { title: 'BC', slug: 'b' },
      ],
    )
  })

  test('another place, another source, no place, or the end of a step begins the next', () => {
    assert.equal(historyOf({}, { place: 'tagline' }).past.length, 2)
    assert.equal(historyOf({}, { source: 'menu:main' }).past.length, 2)
    assert.equal(historyOf({ place: null }, { place: null }).past.length, 2)
    assert.equal(recorded(stepEnded(historyOf({})), stepOf({})).past.length, 2)
    assert.equal(stepEnded(emptyHistory), emptyHistory)
  })

  test('steps are taken back and again in their order, whatever they are about', () => {
    const history = historyOf({}, { source: 'menu:main' })
    assert.equal(nextStep(history, 'undo')?.source, 'menu:main')
    const back = turned(history, 'undo', ['title'])
    assert.equal(nextStep(back, 'undo')?.source, 'settings')
    assert.deepEqual(turned(back, 'redo', ['title']), history)
    assert.equal(nextStep(history, 'redo'), undefined)
    assert.equal(turned(emptyHistory, 'undo', []), emptyHistory)
  })

  test('a change after an undo is a step of its own, and ends the way forward', () => {
    const back = turned(historyOf({}, { at: JOIN_MS }), 'undo', ['title'])
    const next = recorded(back, stepOf({ at: 1 }))
    assert.deepEqual([next.past.length, next.future.length], [2, 0])
  })

  test('what was changed elsewhere since stays, and a step with nothing else is dropped', () => {
    const step = stepOf({ before: { title: 'A', slug: 'a' }, after: { title: 'B', slug: 'b' } })
    const now: Record<string, string> = { title: 'B', slug: 'theirs' }
    const members = untouchedMembers(step, 'undo', (member) => now[member])
    assert.deepEqual(members, ['title'])
    assert.deepEqual(turned(historyOf({}, step), 'undo', members).future, [
      { ...step, before: { title: 'A' }, after: { title: 'B' } },
    ])
    assert.deepEqual(turned(historyOf(step), 'undo', []), emptyHistory)
  })

  test('a value in the form in which it is stored is what its steps lead to and from', () => {
    const history = historyOf(
      { after: { title: ' B ' } },
      { before: { title: ' B ' }, after: { title: 'C' }, at: JOIN_MS },
    )
    const { past } = restated(history, { source: 'settings', member: 'title', was: ' B ', is: 'B' })
    assert.deepEqual(
      past.map(({ before, after }) => [before.title, after.title]),
      [
        ['A', 'B'],
        ['B', 'C'],
      ],
    )
    assert.deepEqual(restated(history, { source: 'menu:main', member: 'title', was: ' B ', is: 'B' }), history)
  })

  test('the steps of what is gone go with it', () => {
    const history = turned(historyOf({}, { source: 'page:1' }, { source: 'page:1', place: 'x' }), 'undo', ['title'])
    assert.deepEqual(withoutSource(history, 'page:1'), historyOf({}))
  })

  test('the oldest steps are forgotten', () => {
    let history = emptyHistory
    for (let at = 0; at < MAX_STEPS + 5; at += 1) history = recorded(history, stepOf({ at: at * JOIN_MS }))
    assert.deepEqual([history.past.length, history.past[0]?.at], [MAX_STEPS, 5 * JOIN_MS])
  })
})
