import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { matchesPattern, patternProblem } from './pattern.ts'

const SEED = 20260301

describe('a pattern', () => {
  for (const pattern of [
    ...[
      '[A-Z]{3}-\\d+',
      '^\\d{4}$',
      '^$|^\\d{4}$',
      '[a-z]+(-[a-z]+)?',
      '(?:a|b)c*',
      '(?<year>\\d{4})',
      '\\p{Lu}\\p{L}*',
    ],
    ...['a*?b', '[\\]\\-^$(]+', '\\u{1F600}', '.{1,900}', 'a{0,3}', '\\(\\)\\*'],
  ])
    test(`may be ${pattern}`, () => assert.equal(patternProblem(pattern), null))

  for (const [pattern, reason] of [
    ['(a)\\1', /backreferences/],
    ['(?<n>a)\\k<n>', /backreferences/],
    ['(?=a)b', /lookaheads/],
    ['(?!a)b', /lookaheads/],
    ['(?<=a)b', /lookaheads/],
    ['(?<!a)b', /lookaheads/],
    ['(?i:a)', /flags/],
    ['(a+)+', /nest repetitions/],
    ['(a*)*', /nest repetitions/],
    ['(?:a|b+)*c', /nest repetitions/],
    ['((a+)b){2,}', /nest repetitions/],
    ['(a{1,40}){1,40}', /nest repetitions/],
    ['(a?){20}', /nest repetitions/],
    ['a\\b', /\\b/],
    ['a^b', /start/],
    ['(^a)', /start/],
    ['a{1,3000}', /repeats too often/],
    ['a{99999999999999}', /repeats too often/],
    ['[', /regular expression/],
    ['\\p{Nonsense}', /regular expression/],
    ['\\-', /regular expression/],
    ['a'.repeat(201), /200 characters/],
  ] as const)
    test(`must not be ${pattern.slice(0, 30)}`, () => assert.match(patternProblem(pattern) ?? '', reason))

  test('has to match the whole value', () => {
    assert.equal(matchesPattern('[A-Z]{3}', 'ABC'), true)
    assert.equal(matchesPattern('[A-Z]{3}', 'ABCD'), false)
    assert.equal(matchesPattern('^a|b$', 'ab'), false)
  })

  test('never matches more than a thousand characters', () => {
    assert.equal(matchesPattern('a*', 'a'.repeat(1000)), true)
    assert.equal(matchesPattern('a*', 'a'.repeat(1001)), false)
  })

  test('takes no longer for patterns that make a backtracking engine hang', () => {
    const started = workMs()
    for (const pattern of ['(a|a)*b', `${'a*'.repeat(99)}b`, '(a|b|ab|ba)*c', `${'(a|b)?'.repeat(30)}c`])
      assert.equal(matchesPattern(pattern, 'a'.repeat(1000)), false)
    // Backtracking would take longer than the universe has been there.
    assert.ok(workMs() - started < 5000)
  })

  test('means what it means as a regular expression', () => {
    const atom = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '[ab]',
        '[^a]',
        '\\d',
        '\\w',
        '\\.',
        'é',
        '😀',
        '\\u{1F600}',
        '\\uD83D\\uDE00',
        '\\x61',
        '\\p{L}',
      ],
    )
    const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?')
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
        if (patternProblem(source) !== null) return
        const expected = new RegExp(`^(?:${source})$`, 'u')
        for (const text of values)
          assert.equal(matchesPattern(source, text), expected.test(text), `${source} on ${text}`)
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })
})
