import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readJson, writeJson } from './json-text.ts'

const problemIn = (text: string): string => {
  const { problem } = readJson(text)
  return problem ? `${problem.line}:${problem.column} ${problem.message}` : 'none'
}

describe('a text as JSON', () => {
  test('nothing is null, everything else its value', () => {
    assert.deepEqual(readJson(' \n'), { value: null })
    assert.deepEqual(readJson('{"a":[1,true]}'), { value: { a: [1, true] } })
    assert.equal(writeJson(null), '')
    assert.equal(writeJson({ a: 1 }), '{\n  "a": 1\n}')
  })

  test('the problem is named at its place', () => {
    const cases: Record<string, string> = {
      '{"a": 1,}': "1:9 There's an extra comma before this.",
      '[1, 2': '1:6 Missing ] at the end.',
      '{"a": 1': '1:8 Missing } at the end.',
      '{\n  a: 1\n}': '2:3 Put property names in double quotes.',
      "{'a': 1}": '1:2 Put text in double quotes.',
      '{"a" 1}': '1:6 Expected a colon, not 1.',
      '{"a": }': '1:7 Expected a value, not }.',
      '[1 2]': '1:4 Expected a comma or the end, not 2.',
      '{"a": undefined}': '1:7 Expected a value, not undefined.',
      '[01]': '1:2 Expected a value or ], not 01.',
      '{} x': '1:4 Unexpected text after the end of the document.',
      '// note\n{}': "1:1 JSON doesn't support comments.",
      '["a\nb"]': '1:2 The text starting here has no closing quote on its line.',
      '["a\tb"]': '1:4 Write tabs and control characters as \\t or \\u0000.',
      '["C:\\dir"]': '1:5 Write a backslash as \\\\.',
      '"a': '1:1 The text starting here has no closing quote.',
      '[}': '1:2 Expected a value or ], not }.',
    }
    for (const [text, expected] of Object.entries(cases)) assert.equal(problemIn(text), expected, text)
  })

  test('a text is refused exactly when it is not JSON, with a place inside it', () => {
    const piece = fc.constantFrom(
      ...'{}[]:,"\\ \n\t',
      '"a"',
      '1',
      '-0.5e3',
      'true',
      'null',
      '//',
      "'b'",
      'x',
      '"\\u00e9"',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const { problem } = readJson(text)
        if (!problem) return
        assert.ok(problem.at >= 0 && problem.at <= text.length)
        assert.notEqual(problem.message, "This isn't valid JSON.")
      }),
      { seed: 20261115, numRuns: 3000 },
    )
  })
})
