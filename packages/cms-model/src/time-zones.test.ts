import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays, canonicalTimeZone, startOfDay } from './time-zones.ts'

test('a time zone has a name of the IANA list, not an offset', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Kathmandu'])
    assert.equal(canonicalTimeZone(name), name)
  assert.equal(canonicalTimeZone('europe/berlin'), 'Europe/Berlin')
  for (const name of ['', 'Mars/Base', '+02:00', 'CEST?', 'Europe/', '__proto__', 'x'.repeat(1e5)])
    assert.equal(canonicalTimeZone(name), null, name.slice(0, 20))
})

describe('a day begins', () => {
  const cases = [
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z'],
    ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
    ['2026-06-01', 'Pacific/Pago_Pago', '2026-06-01T11:00:00.000Z'],
  ] as const
  test('at midnight of its zone, whatever the season', () => {
    for (const [day, zone, at] of cases) assert.equal(startOfDay(day, zone).toISOString(), at, `${day} ${zone}`)
  })

  test('at one where there is no midnight, and at the first of two', () => {
    // Clocks went from 00:00 to 01:00.
    assert.equal(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString(), '2018-11-04T03:00:00.000Z')
    // Clocks went from 01:00 back to 00:00.
    assert.equal(startOfDay('2025-11-02', 'America/Havana').toISOString(), '2025-11-02T04:00:00.000Z')
  })

  test('where the one before ended, so that no moment is in two days or in none', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Cairo'])
      for (let day = '2018-10-01', n = 0; n < 400; n += 1, day = addDays(day, 1)) {
        const hours = (startOfDay(addDays(day, 1), zone).getTime() - startOfDay(day, zone).getTime()) / 3_600_000
        assert.ok(hours >= 23 && hours <= 25, `${day} ${zone} ${hours}`)
      }
  })
})

test('days are counted by the calendar', () => {
  assert.deepEqual(
    [addDays('2026-02-27', 2), addDays('2024-02-27', 2), addDays('2026-12-31', 1)],
    ['2026-03-01', '2024-02-29', '2027-01-01'],
  )
})
