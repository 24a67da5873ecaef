import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endOf, startOf } from '../../days.ts'
import { daysOf, momentsOf, vacationState } from './vacation-dates.ts'

process.env.TZ = 'Europe/Athens'
const NONE = { from_date: null, to_date: null }

describe('the days of a vacation', () => {
  test('begin and end at midnight of the own zone, and the last day is away to its end', () => {
    assert.deepEqual(momentsOf({ first: '2026-05-03', last: '2026-05-10' }, NONE), {
      from_date: '2026-05-02T21:00:00.000Z',
      to_date: '2026-05-10T21:00:00.000Z',
    })
  })

  test('come back as they were chosen', () => {
    const days = { first: '2026-12-24', last: '2027-01-06' }
    assert.deepEqual(daysOf(momentsOf(days, NONE)), days)
    assert.deepEqual(daysOf(NONE), { first: '', last: '' })
  })

  test('are as long as they are when clocks change', () => {
    assert.equal(startOf('2026-03-29')?.toISOString(), '2026-03-28T22:00:00.000Z')
    assert.equal(endOf('2026-03-29')?.toISOString(), '2026-03-29T21:00:00.000Z')
  })

  test('that were not touched keep the moment that another program chose', () => {
    const before = { from_date: '2026-05-03T07:30:00.000Z', to_date: '2026-05-09T15:00:00.000Z' }
    const days = daysOf(before)
    assert.deepEqual(days, { first: '2026-05-03', last: '2026-05-09' })
    assert.deepEqual(momentsOf(days, before), before)
    assert.deepEqual(momentsOf({ ...days, last: '' }, before), { ...before, to_date: null })
  })

  test('say whether replies are sent now', () => {
    const now = new Date('2026-05-05T12:00:00Z')
    const away = momentsOf({ first: '2026-05-03', last: '2026-05-05' }, NONE)
    assert.equal(vacationState({ enabled: false, ...away }, now), 'off')
    assert.equal(vacationState({ enabled: true, ...away }, now), 'on')
    assert.equal(vacationState({ enabled: true, ...away }, new Date('2026-05-05T21:00:00Z')), 'over')
    assert.equal(vacationState({ enabled: true, ...away }, new Date('2026-05-01T21:00:00Z')), 'waiting')
    assert.equal(vacationState({ enabled: true, ...NONE }, now), 'on')
  })
})
