import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { Fault } from '../errors.ts'
import { JSON_LIMITS, parseJson } from './json.ts'

/** Why a text is refused, or null. Anything but the kit's own fault is a failure of the test. */
const refusal = (text: string): string | null => {
  try {
    parseJson(text)
    return null
  } catch (raised) {
    assert.ok(raised instanceof Fault && raised.kind === 'invalid_json', String(raised))
    return 'reason' in raised.detail ? String(raised.detail.reason) : ''
  }
}
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`

describe('what is accepted', () => {
  test('an empty text is an empty object, also with white space of JSON around nothing', () => {
    for (const text of ['', ' ', '\n', '\r\n\t  ']) assert.deepEqual(parseJson(text), {})
    for (const text of ['\u00a0', '\ufeff', '\u2028', '\ufeff{}', '\u000b']) assert.notEqual(refusal(text), null)
  })

  test('every kind of value at the top', () => {
    for (const text of ['{}', '[]', 'null', 'true', '0', '-1.5e3', '"text"', ' {"a": [1, {"b": null}]} '])
      assert.deepEqual(parseJson(text), JSON.parse(text))
  })

  test('the same name in different objects, and as a value', () => {
    const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":1}],"c":"a","d":["a","a"]}'
    assert.deepEqual(parseJson(text), JSON.parse(text))
  })

  test('strings that look like structure', () => {
    for (const value of ['{"a":1,"a":2}', '"', '\\', '\\"', '":"', '[[[[', '\\u0000', '__proto__']) {
      const holder = { first: value, list: [value, { [`name ${value}`]: value }] }
      assert.deepEqual(parseJson(JSON.stringify(holder)), holder)
    }
  })

  test('characters outside the first plane, as text and as a pair of escapes', () => {
    assert.deepEqual(parseJson('{"a":"😀","b":"\\ud83d\\ude00"}'), { a: '😀', b: '😀' })
  })
})

describe('what is refused', () => {
  const refused: Record<string, string[]> = {
    'a name given twice': [
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"\\u0061":1,"a":2}',
      '{"a":1,"b":{},"a" \n : 2}',
      '[{"x":{"a":1,"a":1}}]',
      '{"":1,"":2}',
      '{"\\"":1,"\\u0022":2}',
      '{"/":1,"\\/":2}',
    ],
    'the name __proto__ in any spelling and depth': [
      '{"__proto__":{}}',
      '{"a":[{"b":{"__proto__":null}}]}',
      '{"\\u005f_proto__":1}',
      '{"__pr\\u006fto__":1}',
      '{"__proto__" : 1}',
    ],
    'a character that cannot be stored': [
      '"\\u0000"',
      '{"\\u0000":1}',
      '["a\\u0000b"]',
      '"\\ud800"',
      '"\\udc00"',
      '"\\udc00\\ud800"',
      '"\\ud83d\\\\ude00"',
      '{"\\uD800":1}',
    ],
    'text that is not JSON': [
      '{',
      '}',
      '"',
      '"\\',
      '"\\"',
      "{'a':1}",
      '{"a":1,}',
      '[1,]',
      '{a:1}',
      'undefined',
      'NaN',
      '01',
      '1 2',
      '{"a" 1}',
      '["\\x41"]',
      '{"\\x41":1}',
      '{"a\\u12":1}',
      '"\u0000"',
      '"\n"',
      '// c\n{}',
      '{"a":1}}',
      ']',
    ],
  }
  for (const [rule, texts] of Object.entries(refused))
    test(rule, () => {
      for (const text of texts) assert.notEqual(refusal(text), null, text)
    })

  test('a depth of 65, a 10,001st name, a 50,002nd item, and nothing below', () => {
    assert.equal(refusal(nested(64)), null)
    assert.match(refusal(nested(65)) ?? '', /deep/)
    assert.match(refusal(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`) ?? '', /deep/)
    assert.equal(refusal(members(10_000)), null)
    assert.match(refusal(members(10_001)) ?? '', /fields/)
    assert.match(refusal(`[${members(5_000)},${members(5_001)}]`) ?? '', /fields/)
    assert.equal(refusal(`[${'1,'.repeat(50_000)}1]`), null)
    assert.match(refusal(`[${'1,'.repeat(50_001)}1]`) ?? '', /items/)
    assert.match(refusal(`[${'{},'.repeat(50_001)}{}]`) ?? '', /items/)
  })

  test('a long name is not repeated whole in the reason', () => {
    const name = 'n'.repeat(100_000)
    assert.ok((refusal(`{"${name}":1,"${name}":2}`) ?? '').length < 200)
  })

  test('nothing is left behind on the prototype of all objects', () => {
    refusal('{"__proto__":{"polluted":true}}')
    refusal('{"constructor":{"prototype":{"polluted":true}}}')
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })
})

describe('the same as JSON.parse but for the refused classes', () => {
  const known = (text: string): { value: unknown } | null => {
    try {
      return { value: JSON.parse(text) }
    } catch {
      return null
    }
  }

  /** Written another way than the parser: a reviver sees every name and string, and the printed form shows lost names. */
  const isOrdinary = (value: unknown, depth = 0): boolean => {
    if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000')
    if (typeof value !== 'object' || value === null) return true
    if (depth >= JSON_LIMITS.maxDepth) return false
    const parts = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)]
    return !Object.hasOwn(value, '__proto__') && parts.every((part) => isOrdinary(part, depth + 1))
  }

  test('for any value, in any spelling of its strings', () => {
    const spellings = fc.constantFrom(
      (text: string) => text,
      (text: string) =>
        text.replace(/"([a-z])/g, (_all, c: string) => `"\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
      (text: string) => text.replace(/([,:{[])/g, '$1 \n'),
    )
    const values = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    fc.assert(
      fc.property(values, spellings, (value, respell) => {
        const text = respell(JSON.stringify(value))
        const expected = known(text)
        if (expected === null || !isOrdinary(expected.value)) return refusal(text) !== null
        assert.deepEqual(parseJson(text), expected.value)
        return true
      }),
      { seed: 20260101, numRuns: 600 },
    )
  })

  test('for any text near JSON: nothing is accepted that JSON.parse refuses, and nothing else is thrown', () => {
    const tokens = fc.constantFrom(
      ...'{}[],:"\\/ \nua0-.e',
      '"a"',
      '"b"',
      '"a":',
      '"\\u0061":',
      '1',
      'null',
      '"__proto__":',
      '\\u0000',
      'true',
    )
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 24 }), (parts) => {
        const text = parts.join('')
        if (/^[ \n]*$/.test(text)) return true
        const expected = known(text)
        if (expected === null) return refusal(text) !== null
        const reason = refusal(text)
        if (reason === null) assert.deepEqual(parseJson(text), expected.value)
        else assert.match(reason, /twice|__proto__|stored/)
        return true
      }),
      { seed: 20260102, numRuns: runs(600, 6_000) },
    )
  })

  test('objects with repeated names are always refused', () => {
    const name = fc.string({ minLength: 0, maxLength: 5, unit: 'grapheme' })
    const pairs = fc.array(name, { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(pairs, (names) => {
        const text = `{${names.map((each) => `${JSON.stringify(each)}:1`).join()}}`
        const isRepeated = new Set(names).size < names.length
        return isRepeated ? refusal(text) !== null : (refusal(text) === null) === !names.includes('__proto__')
      }),
      { seed: 20260103, numRuns: 600 },
    )
  })
})

describe('time grows with the length of the text only', () => {
  const shapes: Record<string, (size: number) => string> = {
    quotes: (size) => `[${Array.from({ length: Math.min(40_000, size / 3) }, () => '""').join()}]`,
    'escaped quotes': (size) => `"${'\\"'.repeat(size / 2)}"`,
    backslashes: (size) => `"${'\\\\'.repeat(size / 2)}"`,
    'backslashes without an end': (size) => `"${'\\'.repeat(size)}`,
    'backslashes before each quote': (size) => `"${'\\\\\\"'.repeat(size / 4)}"`,
    'quotes that never close': (size) => `"${'\\"'.repeat(size / 2)}`,
    'white space after each string': (size) => `{"a"${' '.repeat(size)}:1}`,
    'white space only': (size) => ' '.repeat(size),
    'white space and then a word': (size) => `${' '.repeat(size)}x`,
    'open brackets': (size) => '['.repeat(size),
    'open objects': (size) => '{"a":'.repeat(size / 5),
    escapes: (size) => `"${'\\u0041'.repeat(size / 6)}"`,
    'long names': (size) => `{"${'a'.repeat(size)}":1}`,
    numbers: (size) => `[${'1'.repeat(size)}]`,
    'strings with escapes': (size) =>
      `[${Array.from({ length: Math.min(40_000, size / 9) }, () => '"\\u0041"').join()}]`,
  }
  const spent = (text: string): number => {
    const started = workMs()
    refusal(text)
    return workMs() - started
  }
  for (const [name, build] of Object.entries(shapes))
    test(`1 MB of ${name}`, () => {
      const [small, large] = [build(250_000), build(1_000_000)]
      const best = (text: string) => Math.min(spent(text), spent(text), spent(text))
      // Quadratic would be 16 times as long and, at this size, minutes.
      assert.ok(best(large) < best(small) * 10 + 100)
    })
})

test('constructor is an honest name, and with prototype inside it is refused', () => {
  assert.deepEqual(parseJson('{"constructor":"Ferrari","prototype":1,"list":[{"prototype":2}]}'), {
    constructor: 'Ferrari',
    prototype: 1,
    list: [{ prototype: 2 }],
  })
  for (const text of ['{"constructor":{"prototype":{}}}', '{"a":[{"constructor":{"x":1,"\\u0070rototype":1}}]}'])
    assert.throws(() => parseJson(text), { kind: 'invalid_json' })
})
