import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compilePattern } from './patterns.ts'

const matches = (pattern: string, name: string): boolean => compilePattern(pattern)?.matches(name) ?? false

/** As simple as can be, and slow. */
const oracle = (pattern: string, name: string): boolean => {
  const [symbol] = pattern
  if (symbol === undefined) return name === ''
  const rest = pattern.slice(1)
  if (symbol !== '*' && symbol !== '%') return name[0] === symbol && oracle(rest, name.slice(1))
  for (let length = 0; length <= name.length; length += 1) {
    if (symbol === '%' && name.slice(0, length).includes('/')) return false
    if (oracle(rest, name.slice(length))) return true
  }
  return false
}

describe('patterns of LIST', () => {
  for (const [pattern, name, fits] of [
    ['*', 'a/b/c', true],
    ['%', 'a', true],
    ['%', 'a/b', false],
    ['%/%', 'a/b', true],
    ['a/%', 'a', false],
    ['a%c', 'abc', true],
    ['a/*4', 'a/b/x4', true],
    ['a/%t*4', 'a/test/x4', true],
    ['inbox', 'INBOX', true],
    ['InB%', 'INBOX', true],
    ['inbox/%', 'INBOX/Roof', true],
    ['inboxes', 'INBOX', false],
    ['work', 'Work', false],
    ['', '', true],
    ['Entwu\u0308rfe', 'Entwürfe', true],
  ] as const)
    test(`${pattern} ${fits ? 'fits' : 'does not fit'} ${name}`, () => assert.equal(matches(pattern, name), fits))

  test('matches what trying everything matches', () => {
    const symbols = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '%'), maxLength: 7 })
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 7 })
    fc.assert(
      fc.property(symbols, names, (pattern, name) => matches(pattern, name) === oracle(pattern, name)),
      { seed: 6, numRuns: 3_000 },
    )
  })

  test('a pattern with too many wildcards is refused', () => {
    assert.equal(compilePattern('a%'.repeat(51)), null)
    assert.equal(compilePattern('*%'.repeat(500))?.matches('anything'), true)
  })

  test('a pattern that others would try for hours is answered at once', () => {
    assert.equal(matches(`${'*a'.repeat(50)}*b`.slice(0, 99), 'a'.repeat(1_000)), true)
    assert.equal(matches(`${'%a'.repeat(49)}b`, 'a'.repeat(1_000)), false)
  })
})
