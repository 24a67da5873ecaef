import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cleanHtml } from './clean.ts'
import { cleanInline } from './inline.ts'
import { dangersIn, depthOf } from './testing/danger.ts'
import { mediaIdsOf, textOfHtml } from './text.ts'

const SEED = 20260301

const tags = (
  'p div span b strong i em u s a h1 h2 h3 h6 ul ol li table thead tbody tfoot tr td th caption colgroup col blockquote ' +
  'pre code figure figcaption details summary hr br img iframe sub sup mark del strike section font nobr marquee center ' +
  'dl dt dd script style textarea title noscript template noembed xmp plaintext listing object form button select option ' +
  'input frameset body html head svg math mi mtext mglyph annotation-xml foreignObject desc g constructor x-y'
).split(' ')

const attributes = [
  ...[
    '',
    '',
    '',
    ' href="x y"',
    ' href=javascript:alert(1)',
    ' href="java&Tab;script:alert(1)"',
    ' href=//x target=_blank',
  ],
  ...[' lang=de', ' dir=RTL', ' class="a language-x"', ' data-align=wide', ' start=3', ' colspan=2', ' src=/a.png'],
  ...[' title="a>b&quot;&nbsp;"', " title='</style><img src onerror=1>'", ' src=https://player.vimeo.com/video/1'],
  ...[
    ' onclick=alert(1)',
    ' style=x',
    ' encoding="text/html"',
    ' a=`b`',
    ' "',
    ' =',
    '/',
    ' src="javascript:alert(1)"',
  ],
]

const tricks = [
  ` href=/x title='" onclick="alert(1)'`,
  ' href=/x title="&quot;&gt;&lt;p>"',
  ` src=/x alt='"><script>'`,
  ' src=/x alt="&amp;quot;"',
]

const texts = [
  ...['x', ' ', '\n', '\r\n', '\f', '\0', '&nbsp;', '&lt;b&gt;', '&#13;', '&#0;', '&#1;', '&amp;lt;', '\ud800', '😀'],
  ...[
    '<!-- c -->',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<',
    '</',
    '<!',
    '<?',
    '</style>',
    '</textarea>',
    '"',
    '>',
  ],
]

const attribute = fc.constantFrom(...attributes, ...tricks, ...tricks)
const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...tags), attribute, attribute)
      .map(([tag, one, two]) => `<${tag}${one}${two}>`),
  },
  { weight: 3, arbitrary: fc.constantFrom(...tags).map((tag) => `</${tag}>`) },
  { weight: 2, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.constantFrom(' ', '\n', 'x', '<!---->') },
)

const markup = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''))

describe('whatever the markup', () => {
  test('cleaning is safe, bounded and done once and for all', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const cleaned = cleanHtml(html) ?? assert.fail('it fits')
        assert.equal(cleanHtml(cleaned), cleaned)
        assert.deepEqual(dangersIn(cleaned), [])
        assert.ok(depthOf(cleaned) <= 256)
        assert.ok(cleaned.isWellFormed() && !cleaned.includes('\0'))
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })

  test('formatted text is text, i and br, done once and for all', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const cleaned = cleanInline(html) ?? assert.fail('it fits')
        assert.equal(cleanInline(cleaned), cleaned)
        assert.equal(cleaned.replaceAll(/<\/?i>|<br>/g, '').search(/[<>]/), -1)
        assert.equal(/<i><\/i>|^(<i>)?<br>|<br>(<\/i>)?$/.test(cleaned), false, cleaned)
      }),
      { seed: SEED, numRuns: 1000 },
    )
  })

  test('words and links are found without an error', () => {
    fc.assert(
      fc.property(markup, (html) => {
        assert.equal(typeof textOfHtml(html), 'string')
        assert.ok(Array.isArray(mediaIdsOf(html)))
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})

test('what people write stays what they wrote', () => {
  const words = fc
    .string({ unit: fc.constantFrom('a', 'b', ' ', '&', '<', '"', 'é'), minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() === text && text !== '')
  const line = words.map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  const inline = fc.oneof(
    line,
    fc.tuple(fc.constantFrom('strong', 'em', 'code'), line).map(([tag, text]) => `<${tag}>${text}</${tag}>`),
  )
  const block = fc.oneof(
    fc.tuple(fc.constantFrom('p', 'h2', 'h3', 'h4'), inline).map(([tag, text]) => `<${tag}>${text}</${tag}>`),
    fc
      .array(inline, { minLength: 1, maxLength: 3 })
      .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
    fc
      .array(inline, { minLength: 1, maxLength: 3 })
      .map((cells) => `<table><tbody><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></tbody></table>`),
    inline.map((text) => `<blockquote><p>${text}</p></blockquote>`),
  )
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
      assert.equal(cleanHtml(blocks.join('')), blocks.join(''))
    }),
    { seed: SEED, numRuns: 300 },
  )
})
