import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { cleanHtml } from './clean.ts'
import { isMarkup, paragraphsOf } from './plain.ts'
import { textOfHtml } from './text.ts'

describe('plain text becomes rich text', () => {
  test('with paragraphs at blank lines, and line breaks inside of them', () =>
    assert.equal(
      paragraphsOf('Fish & chips\r\n< 5 pounds\n\n \nEnd'),
      '<p>Fish &amp; chips<br>&lt; 5 pounds</p><p>End</p>',
    ))

  test('without losing a word, whatever it is', () => {
    const words = (text: string) => text.replace(/\s+/g, ' ').trim()
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\n\u00c0-\u017f]{0,60}$/), (text) =>
        assert.equal(textOfHtml(cleanHtml(paragraphsOf(text)) ?? ''), words(text)),
      ),
      { seed: 20261116 },
    )
  })
})

describe('text counts as markup', () => {
  for (const text of [
    '<b>Bold</b>',
    'A <em>word</em> &amp; more',
    '<p>One<br>two</p>',
    '<div class="x"><p>a</p></div>',
  ])
    test(`when it is ${text}`, () => assert.equal(isMarkup(text), true))

  for (const text of [
    '',
    'plain',
    'a < b',
    'a <b',
    'use <p> here',
    '<script>x</script>',
    'x<y and z>w',
    '<b>a</i>',
    '</p>',
    'List<string>',
  ])
    test(`but not when it is ${text || 'empty'}`, () => assert.equal(isMarkup(text), false))

  test('in time that grows with its length', () => {
    for (const attack of [`<a ${'a '.repeat(100_000)}`, '<p '.repeat(100_000), `<a a=${"'".repeat(100_000)}`])
      assert.ok(leastWorkMs(() => assert.equal(isMarkup(attack), false), { enough: 300 }) < 300)
  })
})
