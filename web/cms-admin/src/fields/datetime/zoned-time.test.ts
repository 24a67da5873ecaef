import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { offsetName, readWall, repeatedTimeOf, wallOf } from './zoned-time.ts'

describe('a time on the wall', () => {
  test('is one moment, depending on the zone and the season', () => {
    assert.deepEqual(readWall('2026-03-01T09:30', 'Europe/Berlin'), {
      kind: 'once',
      moment: '2026-03-01T08:30:00.000Z',
    })
    assert.deepEqual(readWall('2026-07-01T09:30', 'Europe/Berlin'), {
      kind: 'once',
      moment: '2026-07-01T07:30:00.000Z',
    })
    assert.deepEqual(readWall('2026-03-01T09:30', 'Asia/Kathmandu'), {
      kind: 'once',
      moment: '2026-03-01T03:45:00.000Z',
    })
    assert.deepEqual(readWall('2026-03-01T09:30:05', 'UTC'), { kind: 'once', moment: '2026-03-01T09:30:05.000Z' })
  })

  test('that clocks skip is meant as much later as they skip', () => {
    const reading = readWall('2026-03-29T02:30', 'Europe/Berlin')
    assert.deepEqual(reading, { kind: 'skipped', moment: '2026-03-29T01:30:00.000Z' })
    assert.equal(wallOf('2026-03-29T01:30:00.000Z', 'Europe/Berlin'), '2026-03-29T03:30')
  })

  test('that a whole day was skipped for is the same time of the day after', () => {
    const reading = readWall('2011-12-30T10:00', 'Pacific/Apia')
    assert.equal(reading?.kind, 'skipped')
    assert.equal(wallOf(reading?.moment ?? '', 'Pacific/Apia'), '2011-12-31T10:00')
  })

  test('that comes twice is the first one, and the second is offered', () => {
    assert.deepEqual(readWall('2026-10-25T02:30', 'Europe/Berlin'), {
      kind: 'twice',
      moment: '2026-10-25T00:30:00.000Z',
      later: '2026-10-25T01:30:00.000Z',
    })
    assert.deepEqual(repeatedTimeOf('2026-10-25T01:30:00.000Z', 'Europe/Berlin'), {
      earlier: '2026-10-25T00:30:00.000Z',
      later: '2026-10-25T01:30:00.000Z',
    })
    assert.equal(repeatedTimeOf('2026-10-25T03:30:00.000Z', 'Europe/Berlin'), undefined)
  })

  test('that is incomplete, impossible or out of the calendar is no moment', () => {
    for (const wall of ['', '2026-03-01', '2026-13-01T00:00', '2026-02-30T25:00', 'soon', '0001-01-01T00:30x'])
      assert.equal(readWall(wall, 'Europe/Berlin'), undefined, wall)
    assert.equal(readWall('0001-01-01T00:00', 'Asia/Tokyo'), undefined)
    assert.equal(wallOf('soon', 'Europe/Berlin'), '')
  })

  test('is shown with seconds only where there are some', () => {
    assert.equal(wallOf('2026-03-01T08:30:00.000Z', 'UTC'), '2026-03-01T08:30')
    assert.equal(wallOf('2026-03-01T08:30:05.000Z', 'UTC'), '2026-03-01T08:30:05')
  })

  test('leads back to its moment in every zone', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Pacific/Apia',
    ]
    const minute = fc.integer({ min: Date.parse('1950-01-01') / 60_000, max: Date.parse('2100-01-01') / 60_000 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, (zone, at) => {
        const moment = new Date(at * 60_000).toISOString()
        const reading = readWall(wallOf(moment, zone), zone)
        assert.ok(reading && reading.kind !== 'skipped')
        assert.ok(reading.moment === moment || (reading.kind === 'twice' && reading.later === moment))
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})

test('the offset is named as people write it', () => {
  assert.equal(offsetName('2026-07-01T00:00:00.000Z', 'Europe/Berlin'), 'GMT+2')
  assert.equal(offsetName('2026-01-01T00:00:00.000Z', 'America/St_Johns'), 'GMT−3:30')
  assert.equal(offsetName('2026-01-01T00:00:00.000Z', 'UTC'), 'GMT')
})
