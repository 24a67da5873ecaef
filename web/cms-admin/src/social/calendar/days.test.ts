import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, byDay, dayIn, daysOf, firstDayHere, isDay, stepFrom, timeIn, titleOf, weekStart } from './days.ts'

const MONDAY = 1
const SUNDAY = 7

describe('the days of the calendar', () => {
  test('a month is shown in whole weeks, from the first day of the week here', () => {
    const days = daysOf('month', '2026-03-17', MONDAY)
    assert.deepEqual([days[0], days.at(-1), days.length], ['2026-02-23', '2026-04-05', 42])
    const american = daysOf('month', '2026-03-17', SUNDAY)
    assert.deepEqual([american[0], american.at(-1), american.length], ['2026-03-01', '2026-04-04', 35])
    assert.equal(daysOf('month', '2027-02-10', MONDAY).length, 28)
  })

  test('a week holds the day, the list begins with it', () => {
    assert.deepEqual(daysOf('week', '2026-03-01', MONDAY), [
      '2026-02-23',
      '2026-02-24',
      '2026-02-25',
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ])
    assert.equal(weekStart('2026-03-01', SUNDAY), '2026-03-01')
    assert.equal(daysOf('list', '2026-03-01', MONDAY)[0], '2026-03-01')
  })

  test('no view asks for more days than the service gives', () => {
    for (const view of ['month', 'week', 'list'] as const)
      for (const day of ['2026-03-31', '2026-08-01', '2028-02-29']) assert.ok(daysOf(view, day, MONDAY).length <= 62)
  })

  test('one step is a month, a week, or the length of the list; from the 31st no month is left out', () => {
    assert.equal(stepFrom('month', '2026-01-31', 1), '2026-02-01')
    assert.equal(stepFrom('month', '2026-03-31', -1), '2026-02-01')
    assert.equal(stepFrom('week', '2026-12-30', 1), '2027-01-06')
    assert.equal(stepFrom('list', '2026-03-31', -1), '2026-03-01')
  })

  test('days go on over the change of clocks and the end of a year', () => {
    assert.equal(addDays('2026-03-28', 2), '2026-03-30')
    assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  })

  test('the day of a moment is that of the site, not of the person', () => {
    assert.equal(dayIn('Pacific/Auckland', '2026-03-01T12:00:00Z'), '2026-03-02')
    assert.equal(dayIn('America/Los_Angeles', '2026-03-01T07:30:00Z'), '2026-02-28')
    assert.equal(timeIn('Asia/Kathmandu', '2026-03-01T12:00:00Z'), '17:45')
  })

  test('what is on a day comes in the order of its times', () => {
    const at = (moment: string) => ({ at: moment })
    const days = byDay(
      [at('2026-03-01T22:30:00Z'), at('2026-03-01T08:00:00Z'), at('2026-03-01T07:00:00Z')],
      'Europe/Athens',
    )
    assert.deepEqual(
      [...days].map(([day, items]) => [day, items.map((item) => item.at.slice(11, 16))]),
      [
        ['2026-03-01', ['07:00', '08:00']],
        ['2026-03-02', ['22:30']],
      ],
    )
  })

  test('titles name what is shown', () => {
    assert.equal(titleOf('month', '2026-03-17', MONDAY, 'en-GB'), 'March 2026')
    assert.match(titleOf('week', '2026-03-04', MONDAY, 'en-GB'), /2\s?–\s?8 Mar 2026/)
  })

  test('a day out of an address is checked', () => {
    assert.deepEqual(['2026-03-01', '2026-13-01', 'today', ''].map(isDay), [true, false, false, false])
    assert.ok([1, 7].includes(firstDayHere('en-US')))
  })
})
