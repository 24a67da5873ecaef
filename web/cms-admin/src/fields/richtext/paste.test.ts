import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import fc from 'fast-check'
import { cleanPaste, sourceOf } from './paste.ts'

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.html.txt`), 'utf8')
const paste = (html: string): string => cleanPaste(html)?.html ?? ''
/** One block per line, so that a difference can be seen. */
const lines = (html: string): string[] =>
  html.replace(/\s+/g, ' ').split(/(?=<(?:p|h\d|ul|ol|table|figure|blockquote|pre)\b)/)

describe('pasting from Word', () => {
  test('headings, nested lists with their numbers, tables and formatting stay; notes, comments and deletions go', () => {
    assert.deepEqual(lines(paste(fixture('word'))), [
      '<h2>The harbour plan</h2>',
      '<h2>What we want</h2>',
      '<p>We want a <strong>safe</strong> and <em>open</em> harbour, see <a href="https://example.com/plan?a=1&amp;b=2">the plan</a>.</p>',
      '<ul><li>Boats',
      '<ul><li>Sailing boats</li><li>Ferries</li></ul></li><li>Piers</li></ul>',
      '<h3>Steps</h3>',
      '<ol start="3"><li>Ask the neighbours',
      '<ol><li>by letter',
      '<ol start="4"><li>twice</li></ol></li></ol></li><li>Build</li></ol>',
      '<p>The pier is fifty metres long, H<sub>2</sub>O below, <mark>not decided</mark>.</p>',
      '<table><thead><tr><th><strong>Pier</strong></th><th><strong>Length</strong></th></tr></thead><tbody><tr><td>North</td><td>',
      '<p>50 m</p>',
      '<p>from the road</p></td></tr></tbody></table>',
    ])
  })

  test('pictures with local file addresses are left out and counted', () => {
    assert.deepEqual([cleanPaste(fixture('word'))?.lostPictures, cleanPaste(fixture('word'))?.remotePictures], [1, 0])
  })

  test('a list that changes its kind, or begins anew, is another list', () => {
    const item = (place: string, sign: string, text: string) =>
      `<p class=MsoListParagraph style='mso-list:${place}'><span style='mso-list:Ignore'>${sign}&nbsp; </span>${text}</p>`
    assert.equal(
      paste(item('l0 level1 lfo1', '1.', 'a') + item('l0 level1 lfo1', '·', 'b') + item('l1 level1 lfo2', '1.', 'c')),
      '<ol><li>a</li></ol><ul><li>b</li></ul><ol><li>c</li></ol>',
    )
    assert.equal(
      paste(`${item('l0 level1 lfo1', '1.', 'a')}<p class=MsoNormal>between</p>${item('l0 level1 lfo1', '2.', 'b')}`),
      '<ol><li>a</li></ol><p>between</p><ol start="2"><li>b</li></ol>',
    )
    // A selection may begin in the middle of a list
    assert.equal(
      paste(item('l0 level3 lfo1', '·', 'deep') + item('l0 level1 lfo1', '·', 'flat')),
      '<ul><li>deep</li></ul><ul><li>flat</li></ul>',
    )
    assert.equal(paste(item('l0 level2 lfo1', '1.2.', 'x')), '<ol start="2"><li>x</li></ol>')
  })
})

describe('pasting from Google Docs', () => {
  test('the wrapper goes, styles become formatting, lists nest, redirects are followed', () => {
    assert.deepEqual(lines(paste(fixture('google-docs'))), [
      '<h2>A day out</h2>',
      '<p>Take the <strong>early</strong><em> ferry</em><s> train</s> from <a href="https://example.com/harbour?x=1">the harbour</a>, E=mc<sup>2</sup><mark> now</mark>.</p>',
      '<ul><li>Bread',
      '<ul><li>dark',
      '<ul><li>very dark</li></ul></li></ul></li><li>Water</li></ul>',
      '<ol start="2"><li>Second</li></ol>',
      '<h3>Costs</h3>',
      '<table><tbody><tr><td>Ferry</td><td><strong>12</strong></td></tr></tbody></table>',
      '<figure><img src="#pasted-0" alt="The ferry" width="602" height="401"></figure>',
    ])
  })

  test('a picture that comes along is handed over', () => {
    const pictures = cleanPaste(fixture('google-docs'))?.pictures ?? []
    assert.equal(pictures.length, 1)
    assert.match(pictures[0] ?? '', /^data:image\/png;base64,iVBOR/)
  })
})

describe('pasting from elsewhere', () => {
  test('LibreOffice', () => {
    assert.deepEqual(lines(paste(fixture('libreoffice'))), [
      '<h2>Notes</h2>',
      '<p>Some <strong>bold</strong> and <u>underlined</u> text.</p>',
      '<ol><li>First',
      '<ol><li>inner</li></ol></li><li>Second</li></ol>',
      '<table><tbody><tr><td>A</td><td>B</td></tr></tbody></table>',
    ])
  })

  test('Pages', () => {
    assert.deepEqual(lines(paste(fixture('pages'))), [
      '<p><strong>Opening</strong> times</p>',
      '<p></p>',
      '<ul><li>Monday</li><li>Friday</li></ul>',
    ])
  })

  test('a web page: what is hidden, pressed or counts readers goes; its pictures stay and are counted', () => {
    assert.deepEqual(lines(paste(fixture('web-page'))), [
      '<h3>History</h3>',
      '<p>It was <strong>founded</strong> in 1820<sup><a href="https://wiki.example/note">1</a></sup>.</p>',
      '<p>Then it grew.</p>',
      '<figure><a href="https://wiki.example/File:A.jpg"><img src="https://upload.example/a.jpg" alt="The town" width="220" height="147"></a><figcaption>The town <em>today</em></figcaption></figure>',
      '<p></p>',
      '<blockquote>',
      '<p>A fine place</p></blockquote>',
      '<pre><code class="language-js">const a = 1</code></pre>',
    ])
    assert.equal(cleanPaste(fixture('web-page'))?.remotePictures, 1)
  })

  test('nothing active is left of hostile HTML', () => {
    const html = paste(fixture('hostile'))
    assert.doesNotMatch(html, /script|alert|onerror|onclick|iframe|style|evil|data:|<form/i)
    assert.match(html, /Hello one two three/)
  })

  test('a few words of a line stay words of a line', () => {
    assert.equal(paste('<span style="font-weight:700">a</span> b'), '<p><strong>a</strong> b</p>')
    assert.equal(paste('<b style="font-weight:400">a</b>'), '<p>a</p>')
  })
})

describe('whatever is pasted', () => {
  test('the source is seen by its signs', () => {
    assert.equal(sourceOf(fixture('word')), 'word')
    assert.equal(sourceOf(fixture('google-docs')), 'docs')
    for (const name of ['libreoffice', 'pages', 'web-page', 'hostile']) assert.equal(sourceOf(fixture(name)), 'other')
  })

  test('comes out as the policy would store it', () => {
    const pieces = ['word', 'google-docs', 'libreoffice', 'web-page', 'hostile'].flatMap((name) =>
      fixture(name).split(/(?=<)/),
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (some) => {
        const html = paste(some.join(''))
        assert.equal(cleanHtml(html), html)
      }),
      { seed: 20261115, numRuns: 300 },
    )
  })

  test('too much of it is refused as a whole', () => {
    assert.equal(cleanPaste(`<p>${'x'.repeat(1_100_000)}</p>`), null)
    // Styles and pictures do not count
    const picture = `<img src="data:image/png;base64,${'A'.repeat(2_000_000)}">`
    assert.equal(cleanPaste(`<style>${'x'.repeat(2_000_000)}</style><p>a</p>${picture}`)?.pictures.length, 1)
  })
})
