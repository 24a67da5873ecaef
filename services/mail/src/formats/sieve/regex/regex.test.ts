import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { runRegex } from './match.ts'
import { compileRegex } from './program.ts'
import { RegexRefused } from './syntax.ts'

const SEED = 20261115
const free = () => undefined
const find = (pattern: string, text: string, ignoreCase = false) =>
  runRegex(compileRegex(pattern, 2000), text, ignoreCase, free)

describe('a regular expression', () => {
  test('is found anywhere, the leftmost first, with what its groups took', () => {
    assert.deepEqual(find('(a+)(b|c)?', 'xxaab'), ['aab', 'aa', 'b'])
    assert.deepEqual(find('([^@]+)@([^.]+)\\.(com|org)', 'to ann@example.org now'), [
      'to ann@example.org',
      'to ann',
      'example',
      'org',
    ])
    assert.equal(find('^b', 'ab'), null)
    assert.deepEqual(find('b$', 'ab'), ['b'])
    assert.deepEqual(find('', 'ab'), [''])
  })
  test('knows the classes of POSIX', () => {
    assert.deepEqual(find('[[:digit:][:upper:]_-]+', 'aB2_-c'), ['B2_-'])
    assert.deepEqual(find('[]a]+', 'x]a'), [']a'])
    assert.deepEqual(find('[^[:space:]]+', ' ab '), ['ab'])
  })
  test('can ignore the case of letters', () => {
    assert.deepEqual(find('[a-c]X', 'Bx', true), ['Bx'])
    assert.equal(find('[^a]', 'A', true), null)
  })
  for (const pattern of [
    '(',
    ')',
    '[',
    '[a',
    '*a',
    'a{',
    'a{2',
    'a{3,2}',
    'a{999}',
    '\\',
    '(?:a)',
    '\\1',
    '[z-a]',
    '[[:moon:]]',
    'a{200}{200}',
    '('.repeat(60),
  ])
    test(`must not be ${pattern.slice(0, 20)}`, () => assert.throws(() => compileRegex(pattern, 2000), RegexRefused))

  test('means what it means elsewhere', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\.', 'é', '😀', '\\d')
    const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,}')
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3 },
        fc.tuple(atom, times).map((parts) => parts.join('')),
        fc.tuple(tie('pattern'), times).map(([inner, often]) => `(${inner})${often}`),
      ),
      pattern: fc
        .array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
        .map((choices) => choices.map((parts) => parts.join('')).join('|')),
    }))
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', 'é', '😀', '\n'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, fc.array(value, { minLength: 5, maxLength: 5 }), (source, values) => {
        const expected = new RegExp(source, 'us')
        for (const text of values) {
          const found = find(source, text)?.[0]
          const wanted = expected.exec(text)?.[0]
          assert.equal(found === undefined, wanted === undefined, `${source} on ${text}`)
          // A group that repeats and can be empty takes more or less, depending on the engine.
          if (!/\)[*+?{]/.test(source)) assert.equal(found, wanted, `${source} on ${text}`)
        }
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })
  test('takes no longer for patterns that make a backtracking engine hang', () => {
    const started = workMs()
    for (const pattern of ['(a|a)*b', `${'a*'.repeat(99)}b`, '(a|b|ab|ba)*c', '(a*)*b', '((a?){20}){20}b'])
      assert.equal(find(pattern, 'a'.repeat(2000)), null)
    assert.ok(workMs() - started < 8000)
  })
})
