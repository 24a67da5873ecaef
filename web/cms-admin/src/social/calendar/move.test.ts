import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { timeIn } from './days.ts'
import { mayMove, movedBy, movedTo, offeredTime, pastProblem } from './move.ts'

const ATHENS = 'Europe/Athens'

describe('moving a post to another day', () => {
  test('keeps the time of day of the site, also over a change of clocks', () => {
    const at = '2026-03-27T12:30:00.000Z'
    const moved = movedTo(at, '2026-03-30', ATHENS)
    assert.equal(moved, '2026-03-30T11:30:00.000Z')
    assert.deepEqual([timeIn(ATHENS, at), timeIn(ATHENS, moved)], ['14:30', '14:30'])
  })

  test('late in the evening it stays late in the evening, wherever the person is', () => {
    const at = '2026-03-02T04:45:00.000Z'
    assert.equal(timeIn('America/New_York', at), '23:45')
    assert.equal(movedTo(at, '2026-03-05', 'America/New_York'), '2026-03-06T04:45:00.000Z')
  })

  test('a time that clocks skip becomes the same time after the skip', () => {
    const moved = movedTo('2026-03-28T01:30:00.000Z', '2026-03-29', ATHENS)
    assert.equal(timeIn(ATHENS, moved), '04:30')
  })

  test('by days, for the keyboard', () => {
    assert.equal(movedBy('2026-03-28T10:00:00.000Z', 7, ATHENS), '2026-04-04T09:00:00.000Z')
    assert.equal(movedBy('2026-03-28T10:00:00.000Z', -1, ATHENS), '2026-03-27T10:00:00.000Z')
  })

  test('the past is refused with words that say what to do', () => {
    const now = new Date('2026-03-10T12:00:00Z')
    assert.equal(pastProblem('2026-03-10T12:00:01Z', now, ATHENS), undefined)
    assert.match(pastProblem('2026-03-10T12:00:00Z', now, ATHENS) ?? '', /14:00 has already passed today/)
    assert.match(pastProblem('2026-03-09T12:00:00Z', now, ATHENS) ?? '', /day has passed/)
  })

  test('what is posted or on its way stays', () => {
    assert.deepEqual((['draft', 'scheduled', 'publishing', 'posted', 'partial', 'failed'] as const).filter(mayMove), [
      'draft',
      'scheduled',
      'partial',
      'failed',
    ])
  })

  test('a post without a time is offered the morning, or the next full hour', () => {
    const now = new Date('2026-03-10T12:10:00Z')
    assert.equal(offeredTime('2026-03-12', now, ATHENS), '2026-03-12T07:00:00.000Z')
    assert.equal(offeredTime('2026-03-10', now, ATHENS), '2026-03-10T13:00:00.000Z')
    assert.equal(offeredTime('2026-03-01', now, ATHENS), '2026-03-10T13:00:00.000Z')
  })
})
