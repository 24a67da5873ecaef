import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatAbsolute, formatBytes, formatCount, formatRelative, initialsOf } from './format.ts'

const now = new Date('2026-03-05T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)

describe('times', () => {
  const cases: readonly [seconds: number, text: string][] = [
    [0, 'just now'],
    [44, 'just now'],
    [50, '1 minute ago'],
    [180, '3 minutes ago'],
    [44 * 60, '44 minutes ago'],
    [50 * 60, '1 hour ago'],
    [21 * 3600, '21 hours ago'],
    [25 * 3600, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [-120, 'in 2 minutes'],
    [-86_400, 'tomorrow'],
    [8 * 86_400, '25 Feb'],
    [400 * 86_400, '29 Jan 2025'],
  ]
  for (const [seconds, text] of cases) {
    test(`${seconds} seconds before now reads "${text}"`, () => {
      assert.equal(formatRelative(ago(seconds), now, 'en-GB'), text)
    })
  }

  test('the exact moment names the zone', () => {
    const text = formatAbsolute(now, 'en-GB', 'Europe/Athens')
    assert.match(text, /5 March 2026.*14:00:00.*(EET|GMT\+2)/)
  })
})

describe('figures', () => {
  const cases: readonly [bytes: number, text: string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1536, '1.5 kB'],
    [999_960, '1 MB'],
    [123_456_789, '123 MB'],
    [5e15, '5 PB'],
    [5e18, '5,000 PB'],
  ]
  for (const [bytes, text] of cases) {
    test(`${bytes} bytes read "${text}"`, () => assert.equal(formatBytes(bytes, 'en-GB'), text))
  }

  test('a count takes the word in the singular only for one', () => {
    assert.equal(formatCount(1, 'entry', 'entries'), '1 entry')
    assert.equal(formatCount(0, 'entry', 'entries'), '0 entries')
  })
})

describe('initials', () => {
  const cases: readonly [name: string, initials: string][] = [
    ['Ada Lovelace', 'AL'],
    ['Zeno of Kition', 'ZK'],
    ['grace@example.test', 'G'],
    ['ada.lovelace@example.test', 'AL'],
    ['😀 smile', '😀S'],
    ['', '?'],
    ['@', '?'],
  ]
  for (const [name, initials] of cases) {
    test(`"${name}" has the initials ${initials}`, () => assert.equal(initialsOf(name), initials))
  }
})
