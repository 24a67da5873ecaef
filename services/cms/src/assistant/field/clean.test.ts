import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { cleanInline } from '@stoa/cms-model/html/inline.ts'
import { dangersIn } from '@stoa/cms-model/html/testing/danger.ts'
import fc from 'fast-check'
import { cleanAlt, cleanSuggestion, type FieldKind, fieldKinds, MAX_ALT, shownLength } from './clean.ts'

const clean = (kind: FieldKind, written: string, subject = '', options?: readonly string[]) =>
  cleanSuggestion(kind, written, { subject, options })

describe('what the model wrote, as a field may hold it', () => {
  for (const [kind, written, value] of [
    ['text', '  The\nharbour\t at night \n', 'The harbour at night'],
    ['text', '"The harbour"', 'The harbour'],
    ['text', '“The harbour”', 'The harbour'],
    ['text', '"A" and "B"', '"A" and "B"'],
    ['text', 'a\u0000b\u0007', 'ab'],
    ['text', '<b>bold</b>', '<b>bold</b>'],
    ['textarea', '```\none\n\ntwo\n```', 'one\n\ntwo'],
    ['textarea', 'Sure:\n```\none\n```', 'Sure:\n```\none\n```'],
    ['textarea', 'one\r\ntwo', 'one\ntwo'],
    ['markdown', '```markdown\n# A\n\n- b\n```', '# A\n\n- b'],
    ['markdown', '# A\n\n```js\nx\n```\n\n```js\ny\n```', '# A\n\n```js\nx\n```\n\n```js\ny\n```'],
    ['markdown', '[a](javascript:1)', '[a](javascript:1)'],
    ['richtext', '```html\n<p>Hello <b onclick=x>you</b></p>\n```', '<p>Hello <strong>you</strong></p>'],
    ['richtext', 'One\n\nTwo < three', '<p>One</p><p>Two &lt; three</p>'],
    ['richtext', 'Hello <strong>you</strong>, 2 < 3', '<p>Hello <strong>you</strong>, 2 &lt; 3</p>'],
    ['formatted', 'A <em>good</em> <a href="/x">day</a>\n', 'A <i>good</i> day'],
    ['formatted', 'One\nTwo', 'One<br>Two'],
    ['formatted', 'Q & A', 'Q &amp; A'],
  ] as const)
    test(`${kind}: ${JSON.stringify(written)}`, () => assert.equal(clean(kind, written), value))

  test('keeps a fence or quotation marks that the content came with', () => {
    assert.equal(clean('textarea', '"Hello"', '"Hallo"'), '"Hello"')
    assert.equal(clean('markdown', '```js\nx\n```', '```js\ny\n```'), '```js\nx\n```')
  })

  test('a select is one of its options, however it was written, and nothing else', () => {
    const options = ['News', 'Press release', 'news flash']
    assert.equal(clean('select', 'News', '', options), 'News')
    assert.equal(clean('select', '"press release".', '', options), null)
    assert.equal(clean('select', '"press release"', '', options), 'Press release')
    assert.equal(clean('select', 'NEWS.', '', options), 'News')
    assert.equal(clean('select', 'I would choose News', '', options), null)
    assert.equal(clean('select', 'a', '', ['A', 'a']), 'a')
    assert.equal(clean('select', 'Á', '', ['á', 'Á.']), null)
  })

  test('nothing is no value', () => {
    for (const kind of fieldKinds)
      for (const written of ['', ' \n ', '``` \n```', '\u0000'])
        assert.equal(clean(kind, written, '', ['a']), null, kind)
  })

  test('is what the field would store: to clean it again changes nothing', () => {
    const pieces = fc.constantFrom(
      ...['<p>', '</p>', '<b>', '</b>', '<i>', '</i>', '<br>', '<ul><li>', '<a href="javascript:1">', '</a>', '<svg>'],
      ...['<script>', '</script>', 'x', ' ', '\n', '"', '```', '&', '&lt;', '<', '>', '\u00a0', '\ud800', '\u0000'],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const written = parts.join('')
        const rich = clean('richtext', written) ?? ''
        assert.equal(cleanHtml(rich), rich)
        assert.deepEqual(dangersIn(rich), [])
        const inline = clean('formatted', written) ?? ''
        assert.equal(cleanInline(inline), inline)
        assert.equal(/[\n\t\0]/.test(clean('text', written) ?? ''), false)
      }),
      { seed: 20261117, numRuns: 500 },
    )
  })

  for (const attempt of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="java&Tab;script:alert(1)">x</a>',
    '<svg onload=alert(1)><p>x</p></svg>',
    '<iframe src="https://evil.example/"></iframe>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<p style="position:fixed">x</p>',
    '```html\n<details open ontoggle=alert(1)><summary>x</summary></details>\n```',
  ])
    test(`no script comes through: ${attempt.slice(0, 40)}`, () => {
      assert.deepEqual(dangersIn(clean('richtext', attempt) ?? ''), [])
      assert.equal(/<(?!i>|\/i>|br>)/.test(clean('formatted', attempt) ?? ''), false)
    })
})

describe('an alternative text', () => {
  for (const [written, value] of [
    ['Image of a harbour at night.', 'A harbour at night.'],
    ['A photo of two boats', 'Two boats'],
    ['The picture shows a lighthouse', 'A lighthouse'],
    ['"Alt text: An image showing a map"', 'A map'],
    ['A photographer of birds', 'A photographer of birds'],
    ['Two boats\nat a quay', 'Two boats at a quay'],
  ] as const)
    test(JSON.stringify(written), () => assert.equal(cleanAlt(written)?.value, value))

  test('is cut at a word where it is too long, and says so', () => {
    const long = cleanAlt(`Boats, ${'and more boats, '.repeat(20)}`)
    assert.ok(long?.isCut)
    assert.ok(long.value.length <= MAX_ALT && /boats…$|more…$|and…$/.test(long.value), long.value)
    assert.equal(cleanAlt('x'.repeat(MAX_ALT))?.isCut, false)
    assert.ok((cleanAlt('😀'.repeat(100))?.value ?? '').isWellFormed())
  })

  test('nothing is none', () => assert.equal(cleanAlt(' '), null))
})

test('the length of formatted writing is that of what people read', () => {
  assert.equal(shownLength('richtext', '<p>One <strong>two</strong></p>'), 7)
  assert.equal(shownLength('formatted', 'a<br>b'), 3)
  assert.equal(shownLength('markdown', '**a**'), 5)
})
