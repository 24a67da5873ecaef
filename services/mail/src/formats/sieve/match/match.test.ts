import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { asciiCasemap } from './ascii-casemap.ts'
import { asciiNumeric } from './ascii-numeric.ts'
import { octet } from './octet.ts'
import { indexOf } from './search.ts'
import { unicodeCasemap } from './unicode-casemap.ts'
import { matchWildcards } from './wildcard.ts'

const SEED = 20261115
const free = () => undefined
const taken = (text: string, pattern: string) => matchWildcards(text, pattern, octet, free)

describe('wildcards (RFC 5228 §2.7.1, RFC 5229 §3.2)', () => {
  test('stars take as little as they can, from the left', () => {
    assert.deepEqual(taken('[acme-users] [fwd] version 1.0', '[*] *'), ['acme-users', '[fwd] version 1.0'])
    assert.deepEqual(taken('abcabc', '*b*'), ['a', 'cabc'])
    assert.deepEqual(taken('abc', '?*?'), ['a', 'b', 'c'])
    assert.deepEqual(taken('', '*'), [''])
    assert.equal(taken('', '?'), null)
    assert.equal(taken('ab', 'a'), null)
    assert.deepEqual(taken('a slash\\', '*slash\\'), ['a '])
  })
  test('mean what a regular expression of the same kind means', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?', '\\', '😀', 'é')
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\', '😀', 'é', '\n'), maxLength: 8 })
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), value, (pattern, text) => {
        if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) return
        const source = pattern.replace(/\\(.)|\*|\?|./gsu, (found, escaped?: string) => {
          if (escaped === undefined && found === '*') return '([^]*?)'
          if (escaped === undefined && found === '?') return '([^])'
          return `\\u{${(escaped ?? found).codePointAt(0)?.toString(16)}}`
        })
        const expected = new RegExp(`^${source}$`, 'u').exec(text)
        assert.deepEqual(taken(text, pattern), expected && [...expected].slice(1), `${pattern} on ${text}`)
      }),
      { seed: SEED, numRuns: runs(320, 3_000) },
    )
  })
})

describe('searching', () => {
  test('finds what the runtime finds, also by the linear way', () => {
    const text = `${'ab'.repeat(50_000)}abb${'a'.repeat(100)}`
    for (const needle of [`${'ab'.repeat(40)}b`, `${'ab'.repeat(60)}c`, 'b'.repeat(90), 'a'.repeat(80)])
      assert.equal(indexOf(text, needle), text.indexOf(needle))
  })
})

describe('comparators (RFC 4790)', () => {
  test('i;ascii-casemap folds letters of ASCII only', () => {
    assert.equal(asciiCasemap.fold('aZ'), asciiCasemap.fold('Az'))
    assert.notEqual(asciiCasemap.fold('ä'), asciiCasemap.fold('Ä'))
    assert.ok(asciiCasemap.order('a', '_') < 0)
  })
  test('i;octet orders as UTF-8 does', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '\uffff', '😀', 'z'), maxLength: 4 })
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        assert.equal(Math.sign(octet.order(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)))
      }),
      { seed: SEED, numRuns: runs(120, 1_000) },
    )
  })
  test('i;ascii-numeric reads the number at the start, of any length', () => {
    assert.equal(asciiNumeric.order('007x', '7'), 0)
    assert.ok(asciiNumeric.order('9', '10') < 0)
    assert.ok(asciiNumeric.order('99999999999999999999999', 'word') < 0)
    assert.equal(asciiNumeric.order('word', ''), 0)
    assert.ok(asciiNumeric.order('99999999999999999999998', '99999999999999999999999') < 0)
  })
})

describe('i;unicode-casemap (RFC 5051)', () => {
  const { fold, order } = unicodeCasemap
  const same = (left: string, right: string) => fold(left) === fold(right)
  test('letters of all scripts are the same in upper and lower case', () => {
    for (const [left, right] of ['éÉ', 'ςΣ', 'жЖ', 'ıi', 'ǆǄ', 'ⓐⒶ', 'ᾀᾈ', 'ſs', '𐐨𐐀'].map((pair) => [...pair]))
      assert.ok(same(left ?? '', right ?? ''), `${left} ${right}`)
  })
  test('a letter is the same however it is written', () => {
    assert.ok(same('cafe\u0301', 'CAFÉ'))
    assert.ok(same('ﬁn', 'FIN'))
    assert.ok(same('①', '1'))
  })
  test('title case is one character for one character, and that of UnicodeData.txt', () => {
    assert.ok(!same('straße', 'STRASSE'))
    assert.equal(fold('ß'), 'ß')
    // Georgian letters have capitals, but are their own title case.
    assert.equal(fold('ა'), 'ა')
    assert.equal(fold('가'), '가')
  })
  test('substrings are found, and marks can be left out of what is looked for', () => {
    assert.ok(indexOf(fold('Ein TÈST'), fold('tèst')) > 0)
    assert.ok(indexOf(fold('TÈST'), fold('te')) === 0)
  })
  test('orders as UTF-8 does after folding', () => {
    assert.ok(order('é', 'F') < 0)
    assert.ok(order('ä', 'Z') < 0)
    assert.equal(order('Ä', 'ä'), 0)
  })
  test('wildcards take letters with their marks, as they stand in the text', () => {
    const fits = (text: string, pattern: string) => matchWildcards(text, pattern, unicodeCasemap, free)
    assert.deepEqual(fits('Über den CAFE\u0301s', 'ü* caf?S'), ['ber den', 'E\u0301'])
    assert.deepEqual(fits('Ünö', '???'), ['Ü', 'n', 'ö'])
    assert.equal(fits('abc', '＊'), null)
    assert.deepEqual(fits('＊', '\\*'), [])
  })
  test('folds what is folded to itself, in time that grows with the text alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => assert.equal(fold(fold(text)), fold(text))),
      { seed: SEED, numRuns: runs(200, 2_000) },
    )
    // Sorting these marks would take minutes.
    assert.ok(leastWorkMs(() => fold('\u0301\u0323'.repeat(200_000)), { enough: 2_000 }) < 2_000)
  })
})
