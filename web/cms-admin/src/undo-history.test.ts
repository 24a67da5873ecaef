import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  emptyHistory,
  type History,
  JOIN_MS,
  MAX_STEPS,
  recorded,
  redo,
  type Step,
  stepEnded,
  undo,
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
    const last = undo(history)
    assert.equal(last?.step.source, 'menu:main')
    assert.equal(undo(last.history)?.step.source, 'settings')
    assert.deepEqual(redo(last.history), { step: last.step, history })
    assert.equal(undo(emptyHistory), undefined)
    assert.equal(redo(history), undefined)
  })

  test('a change after an undo is a step of its own, and ends the way forward', () => {
    const back = undo(historyOf({}, { at: JOIN_MS }))?.history ?? emptyHistory
    const next = recorded(back, stepOf({ at: 1 }))
    assert.deepEqual([next.past.length, next.future.length], [2, 0])
  })

  test('the oldest steps are forgotten', () => {
    let history = emptyHistory
    for (let at = 0; at < MAX_STEPS + 5; at += 1) history = recorded(history, stepOf({ at: at * JOIN_MS }))
    assert.deepEqual([history.past.length, history.past[0]?.at], [MAX_STEPS, 5 * JOIN_MS])
  })
})
