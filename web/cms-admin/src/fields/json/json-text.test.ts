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
      '{"a": 1,}': '1:9 There is a comma too many before this.',
      '[1, 2': '1:6 A ] is missing at the end.',
      '{"a": 1': '1:8 A } is missing at the end.',
      '{\n  a: 1\n}': '2:3 The name of a member stands between double quotes.',
      "{'a': 1}": '1:2 Text stands between double quotes.',
      '{"a" 1}': '1:6 A colon is expected here, not 1.',
      '{"a": }': '1:7 A value is expected here, not }.',
      '[1 2]': '1:4 A comma or the end is expected here, not 2.',
      '{"a": undefined}': '1:7 A value is expected here, not undefined.',
      '[01]': '1:2 A value or ] is expected here, not 01.',
      '{} x': '1:4 There is more after the end of the document.',
      '// note\n{}': '1:1 JSON has no comments.',
      '["a\nb"]': '1:2 The text that begins here has no end on its line.',
      '["a\tb"]': '1:4 A tab or control character is written \\t or \\u0000 in text.',
      '["C:\\dir"]': '1:5 A backslash is written twice in text.',
      '"a': '1:1 The text that begins here has no end.',
      '[}': '1:2 A value or ] is expected here, not }.',
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
