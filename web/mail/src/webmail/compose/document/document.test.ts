import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getSchema } from '@tiptap/core'
import fc from 'fast-check'
import { docToHtml, docToText } from './doc-to-mail.ts'
import { hasFormatting, isBlank, picturesIn } from './document.ts'
import { htmlToDoc } from './html-to-doc.ts'
import { completeHref } from './links.ts'
import { mailExtensions } from './schema.ts'
import { textToDoc } from './text-to-doc.ts'

const SEED = 20261115
const schema = getSchema(mailExtensions(() => null))
const cid = (src: string) => (src.startsWith('cid:') ? src.slice(4) : null)
const read = (html: string) => htmlToDoc(html, { picture: cid })
const again = (html: string) => docToHtml(read(html))

describe('what is written comes back from a saved draft as it was', () => {
  const kept: Record<string, string> = {
    lines: '<div>One</div><div><br></div><div>Two<br>lines</div>',
    paragraphs: '<p>One</p><p>Two</p>',
    marks: '<div><b>a</b><i>b</i><u>c</u><s>d</s><code>e</code><span style="color:#b3261e">f</span></div>',
    links: '<div><a href="https://a.test/?a=1&amp;b=2">a</a> and <a href="mailto:a@b.test">b</a></div>',
    headings: '<h1>a</h1><h2>b</h2><h3>c</h3>',
    lists: '<ul><li><div>a</div><ul><li><div>b</div></li></ul></li></ul><ol start="3"><li><div>c</div></li></ol>',
    code: '<pre>a\n  b</pre>',
    rule: '<div>a</div><hr><div>b</div>',
    pictures: '<div>a <img src="cid:x@stoa" alt="A &quot;b&quot;" width="20" style="max-width:100%"></div>',
    signature: '<div>a</div><div class="stoa-signature"><div>Ada</div></div>',
  }
  for (const [name, html] of Object.entries(kept)) test(name, () => assert.equal(again(html), html))

  test('quotations and tables', () => {
    for (const html of [
      '<blockquote><div>a</div><blockquote><div>b</div></blockquote></blockquote>',
      '<table><tr><th>a</th><td colspan="2">b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>',
    ]) {
      const once = again(html)
      assert.equal(again(once), once)
      assert.match(once, /<blockquote type="cite"[^>]*><div>a|<th [^>]*><div>a<\/div><\/th><td colspan="2"/)
    }
  })
})

describe('HTML of strangers', () => {
  test('nothing but words, marks and safe links is left of it', () => {
    const html = again(
      '<style>p{}</style><script>alert(1)</script><p onclick=x style="position:fixed">a<img src=https://t.test/p.png><svg><script>x</script></svg></p><a href="javascript:alert(1)">b</a><a href="data:text/html,x">c</a><form><input value=d></form><iframe src=//x></iframe><div style="display:none">hidden</div>',
    )
    assert.equal(html, '<p>a</p><div>bc</div>')
  })

  test('layout tables, loose text and inline elements around blocks become lines', () => {
    assert.equal(again('<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>'), '<div>a</div>')
    assert.equal(
      again('loose <b>bold<div>block</div></b> text'),
      '<div>loose</div><div><b>bold</b></div><div><b>block</b></div><div>text</div>',
    )
    assert.equal(
      again('<ul>loose<li>a<li>b</ul>'),
      '<ul><li><div>loose</div></li><li><div>a</div></li><li><div>b</div></li></ul>',
    )
  })

  test('word processors: weights are marks, and a bold that is not bold is none', () => {
    assert.equal(
      again('<b style="font-weight:normal"><span style="font-weight:700">a</span>b</b>'),
      '<div><b>a</b>b</div>',
    )
    assert.equal(again('<strong style="font-weight:700">a</strong>'), '<div><b>a</b></div>')
  })

  test('elements that are called like the members of every object are elements like others', () => {
    for (const name of ['constructor', 'valueof', 'tostring'])
      assert.equal(again(`<${name}><p>a</p></${name}><p>b<${name}>c</${name}></p>`), '<p>a</p><p>bc</p>')
  })

  test('whatever comes, the editor can hold it, and it is stable', () => {
    const tag = fc.constantFrom(
      'div',
      'p',
      'b',
      'a',
      'ul',
      'ol',
      'li',
      'table',
      'tr',
      'td',
      'blockquote',
      'pre',
      'h1',
      'span',
      'code',
      'br',
      'hr',
      'img',
      'dl',
      'dd',
    )
    const piece = fc.oneof(
      fc
        .tuple(tag, fc.boolean())
        .map(([name, isEnd]) => (isEnd ? `</${name}>` : `<${name} href="https://a.test" src="cid:x">`)),
      fc.constantFrom('word', ' ', '\n', 'ä&amp;', '  two  '),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const doc = read(pieces.join(''))
        schema.nodeFromJSON(doc).check()
        const once = docToHtml(doc)
        const twice = read(once)
        schema.nodeFromJSON(twice).check()
        assert.equal(docToHtml(twice), once)
        docToText(doc)
      }),
      { seed: SEED, numRuns: 400 },
    )
  })

  test('very deep and very long HTML ends', () => {
    schema.nodeFromJSON(read('<blockquote>'.repeat(5000))).check()
    schema.nodeFromJSON(read(`${'<div><b>'.repeat(3000)}x`)).check()
    assert.ok(docToText(read('x '.repeat(1_000_000))).length <= 500_000)
  })
})

describe('plain text', () => {
  test('says what the formatted text says', () => {
    const doc = read(
      '<p>One</p><p>Two</p><ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol start="9"><li>x</li><li>y</li></ol><div>see <a href="https://a.test/b">here</a> or <a href="https://a.test">https://a.test</a></div><blockquote>q<blockquote>r</blockquote></blockquote><div class="stoa-signature">Ada</div>',
    )
    assert.equal(
      docToText(doc),
      'One\n\nTwo\n\n- a\n- b\n  - c\n\n9. x\n10. y\n\nsee here <https://a.test/b> or https://a.test\n> q\n>> r\n-- \nAda',
    )
  })

  test('comes into the editor with its quotations, and out again as it was', () => {
    const text = 'Hello\n\nOn Monday, Ann wrote:\n> One\n>\n>> Deeper\n> Two\n\nBye'
    const doc = textToDoc(text)
    schema.nodeFromJSON(doc).check()
    assert.equal(docToText(doc), text)
    assert.equal(docToText(textToDoc('a\n-- \nAda\nTel')), 'a\n-- \nAda\nTel')
  })
})

test('formatting, pictures and emptiness are known', () => {
  assert.equal(hasFormatting(read('<div>a <a href="https://a.test">b</a></div>')), false)
  assert.equal(hasFormatting(read('<div><b>a</b></div>')), true)
  assert.deepEqual([...picturesIn(read('<div><img src="cid:a"><img src="https://x.test"></div>'))], ['a'])
  assert.equal(isBlank(read('<div> </div><blockquote><br></blockquote>')), true)
  assert.equal(isBlank(read('<img src="cid:a">')), false)
})

test('addresses of links are completed, and only safe ones taken', () => {
  assert.equal(completeHref('example.org/a?b'), 'https://example.org/a?b')
  assert.equal(completeHref('ann@example.org'), 'mailto:ann@example.org')
  assert.equal(completeHref('+49 89 1234'), 'tel:+49891234')
  assert.equal(completeHref('example.org:8080'), 'https://example.org:8080')
  for (const bad of ['javascript:alert(1)', 'words', '', 'data:text/html,x', 'file:///etc'])
    assert.equal(completeHref(bad), null)
})
