import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findIn } from './find.ts'
import { layOutHtml } from './source-layout.ts'
import { parseStored } from './testing/document.ts'

describe('finding words', () => {
  const doc = parseStored(
    '<h2>The Ferry</h2><p>A <strong>fer</strong>ry and a ferry<br>boat</p><ul><li>İ ferry</li></ul>',
  )
  const wordsAt = (words: string, matchCase = false): string[] =>
    findIn(doc, words, matchCase).map(({ from, to }) => doc.textBetween(from, to))

  test('goes across formatting, and heeds case only when asked', () => {
    assert.deepEqual(wordsAt('ferry'), ['Ferry', 'ferry', 'ferry', 'ferry'])
    assert.deepEqual(wordsAt('ferry', true), ['ferry', 'ferry', 'ferry'])
    assert.deepEqual(wordsAt('ferryboat'), [])
    assert.deepEqual(wordsAt(''), [])
  })
})

test('the source has a line for each block, and code as it is', () => {
  assert.equal(
    layOutHtml('<h2>a</h2><ul><li>b</li></ul><pre><code>c\n\n  d</code></pre><p>e</p>'),
    '<h2>a</h2>\n<ul>\n<li>b</li>\n</ul>\n<pre><code>c\n\n  d</code></pre>\n<p>e</p>',
  )
})
