import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cleanHtml } from './clean.ts'
import { dangersIn } from './testing/danger.ts'
import { isWritten } from './written.ts'

const SEED = 20260301

const tags = (
  'p h2 ul ol li table tbody tr td th blockquote pre code figure figcaption details summary hr br img iframe a em strong ' +
  'div span script style svg math template'
).split(' ')
const attributes = [
  ...['', '', '', ' lang="de"', ' dir="rtl"', ' class="language-js"', ' class="x"', ' start="3"', ' colspan="2"'],
  ...[' href="/x"', ' href="https://x.test/?a=1&amp;b=2"', ' href="javascript:alert(1)"', ' href="java&Tab;script:1"'],
  ...[' href="&#106;avascript:1"', ' src="/a.png"', ' src="javascript:1"', ' src="https://player.vimeo.com/video/1"'],
  ...[' target="_blank"', ' rel="noopener noreferrer"', ' title="a &quot; b"', ' onclick="alert(1)"', ' style="x"'],
  ...[' srcdoc="x"', ' sandbox="allow-scripts"', ' id="x"', ' href=/x', " href='/x'", ' HREF="/x"', '/', ' alt="<p>"'],
]
const piece = fc.oneof(
  fc
    .tuple(fc.constantFrom(...tags), fc.constantFrom(...attributes), fc.constantFrom(...attributes))
    .map(([tag, one, two]) => `<${tag}${one}${two}>`),
  fc.constantFrom(...tags).map((tag) => `</${tag}>`),
  fc.constantFrom('x', ' ', '&amp;', '&lt;', '<!--', '-->', '<', '>', '"', '<![CDATA[', ']]>', '<P>', '\0', '\n'),
)
/** Half of it well nested, so that there is something to find. */
const markup = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
  fc
    .tuple(fc.constantFrom(...tags), fc.constantFrom(...attributes), fc.constantFrom(...attributes), piece)
    .map(([tag, one, two, inner]) => `<p><${tag}${one}${two}>${inner}</${tag}></p>`),
  fc
    .tuple(fc.constantFrom('a', 'img', 'iframe'), fc.shuffledSubarray(attributes, { maxLength: 4 }))
    .map(([tag, given]) => `<p><${tag}${given.join('')}>${tag === 'img' ? '' : `</${tag}>`}</p>`),
)

describe('whether cleaning could have written it', () => {
  test('whatever cleaning has written is', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const cleaned = cleanHtml(html) ?? assert.fail('it fits')
        assert.equal(isWritten(cleaned), true, cleaned)
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })

  test('whatever looks like it has no dangers, also without cleaning', () => {
    let seen = 0
    fc.assert(
      fc.property(markup, (html) => {
        if (!isWritten(html)) return
        seen += 1
        assert.deepEqual(dangersIn(html), [], html)
      }),
      { seed: SEED, numRuns: 6000 },
    )
    assert.ok(seen > 100, `only ${seen} looked like it`)
  })

  for (const html of [
    ...['words', 'a < b', '<p>open', 'x<p>y</p>', '<p>x</em></p>', '</p>', '<p>x</p><', '<P>x</P>', '<p >x</p>', '<p'],
    ...['<script>alert(1)</script>', '<p><img src="x" onerror="alert(1)"></p>', '<p><img src=x onerror=alert(1)></p>'],
    ...['<p><a href="javascript:alert(1)">x</a></p>', '<p><a href="&#x6a;avascript:alert(1)">x</a></p>', '<!-- x -->'],
    ...['<p><a href="/x" target="_blank">x</a></p>', '<div>x</div>', '<p style="x">x</p>', '<p><br/></p>'],
    '<iframe src="https://player.vimeo.com/video/1"></iframe>',
    '<iframe src="https://evil.test/" sandbox="allow-scripts"></iframe>',
  ])
    test(`not ${html}`, () => assert.equal(isWritten(html), false))
})
