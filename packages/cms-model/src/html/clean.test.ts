import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml } from './clean.ts'
import { dangersIn, depthOf } from './testing/danger.ts'
import { textOfHtml } from './text.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const IFRAME_REST =
  ' loading="lazy" sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" allow="fullscreen; picture-in-picture; encrypted-media"></iframe>'

const FILE = `/media/${ID}/0123abcd/a.mp4`
const PLAYER_REST = ` data-media-id="${ID}" controls="" preload="metadata"`

/** A group of rules, each with what goes in and what comes out. */
const rules: Record<string, [rule: string, from: string, to: string][]> = {
  blocks: [
    [
      'stay as they are',
      '<h2>A</h2><p>b</p><hr><blockquote><p>c</p></blockquote>',
      '<h2>A</h2><p>b</p><hr><blockquote><p>c</p></blockquote>',
    ],
    ['text in the root becomes a paragraph', 'a <b>b</b>', '<p>a <strong>b</strong></p>'],
    ['text between blocks becomes a paragraph', '<p>a</p>b<p>c</p>', '<p>a</p><p>b</p><p>c</p>'],
    ['div becomes p', '<div>a</div><div>b</div>', '<p>a</p><p>b</p>'],
    ['div around blocks is unwrapped', '<div><h2>a</h2>b<div>c</div></div>', '<h2>a</h2><p>b</p><p>c</p>'],
    ['section is unwrapped', '<section><p>a</p></section>', '<p>a</p>'],
    ['a definition list keeps its lines apart', '<dl><dt>a<dd>b</dl>', '<p>a</p><p>b</p>'],
    ['space around lines is left out', '<p>\n  a b \n</p>\n\n<p>c</p>', '<p>a b</p><p>c</p>'],
    ['h1, h5 and h6 are renamed', '<h1>a</h1><h5>b</h5><h6>c</h6>', '<h2>a</h2><h4>b</h4><h4>c</h4>'],
    ['a heading around a div stays a heading', '<h2><div>a</div></h2>', '<h2>a</h2>'],
    ['a heading around a list lets it out', '<h2>a<ul><li>b</li></ul></h2>', '<h2>a</h2><ul><li>b</li></ul>'],
    ['an empty heading goes', '<h2> </h2><h3><br></h3><p>a</p>', '<p>a</p>'],
    ['pre keeps its space and its first line break', '<pre>\n\n  a\n</pre>', '<pre>\n\n  a\n</pre>'],
    [
      'code has a language',
      '<pre><code class="hljs language-c++">a</code></pre>',
      '<pre><code class="language-c++">a</code></pre>',
    ],
    ['code has no other class', '<p><code class="x" id=y>a</code></p>', '<p><code>a</code></p>'],
    [
      'details begin with their summary',
      '<details>a<summary><h2>b</h2>c</summary><p>d</p></details>',
      '<details><summary>b<br>c</summary>a<p>d</p></details>',
    ],
    [
      'a second summary is a paragraph',
      '<details><summary>a</summary><summary>b</summary></details>',
      '<details><summary>a</summary><p>b</p></details>',
    ],
    [
      'summary and figcaption elsewhere are paragraphs',
      '<summary>a</summary><figcaption>b</figcaption>',
      '<p>a</p><p>b</p>',
    ],
    ['a quotation may hold text', '<blockquote>a</blockquote>', '<blockquote>a</blockquote>'],
    [
      'empty containers go',
      '<blockquote></blockquote><figure> </figure><ul></ul><details></details><p>a</p>',
      '<p>a</p>',
    ],
  ],
  'empty paragraphs': [
    ['collapse to one', '<p>a</p><p></p><p> </p><p><br></p><p>&nbsp;</p><p>b</p>', '<p>a</p><p></p><p>b</p>'],
    ['alone are nothing', '<p></p><p><br></p>', ''],
    [
      'alone are nothing in a cell',
      '<table><tr><td><p></p></td></tr></table>',
      '<table><tbody><tr><td></td></tr></tbody></table>',
    ],
  ],
  lists: [
    [
      'stay as they are',
      '<ol start="3"><li>a</li><li><p>b</p></li></ol>',
      '<ol start="3"><li>a</li><li><p>b</p></li></ol>',
    ],
    [
      'a list in a list joins the item before',
      '<ul><li>a</li><ul><li>b</li></ul></ul>',
      '<ul><li>a<ul><li>b</li></ul></li></ul>',
    ],
    ['stray text becomes an item', '<ul>a<li>b</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['lines in an item stay apart', '<ul><li>a <h2></h2> b</li></ul>', '<ul><li>a<br>b</li></ul>'],
    ['an item without a list is a paragraph', '<li>a</li>', '<p>a</p>'],
    ['start is a number', '<ol start="x"><li>a</li></ol>', '<ol><li>a</li></ol>'],
  ],
  tables: [
    [
      'get their body',
      '<table><tr><th scope=col colspan=2>a<td rowspan=0>b</table>',
      '<table><tbody><tr><th scope="col" colspan="2">a</th><td>b</td></tr></tbody></table>',
    ],
    [
      'begin with their caption',
      '<table><thead><tr><td>a</thead><caption>b</caption></table>',
      '<table><caption>b</caption><thead><tr><td>a</td></tr></thead></table>',
    ],
    [
      'keep the rows of a foot',
      '<table><tfoot><tr><td>a</tfoot></table>',
      '<table><tbody><tr><td>a</td></tr></tbody></table>',
    ],
    ['without cells are unwrapped', '<table><caption>a</caption></table>', '<p>a</p>'],
    [
      'lose columns',
      '<table><colgroup><col></colgroup><tr><td>a</table>',
      '<table><tbody><tr><td>a</td></tr></tbody></table>',
    ],
    [
      'stand beside text, not inside',
      '<table>a<tr><td>b</table>',
      '<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    [
      'two divs in a cell are two paragraphs',
      '<table><tr><td><div>a</div><div>b</div></table>',
      '<table><tbody><tr><td><p>a</p><p>b</p></td></tr></tbody></table>',
    ],
  ],
  formatting: [
    [
      'b, i, strike and del are renamed',
      '<b>a</b><i>b</i><strike>c</strike><del>d</del>',
      '<p><strong>a</strong><em>b</em><s>c</s><s>d</s></p>',
    ],
    ['span and font are unwrapped', '<p><span style="color:red"><font size=7>a</font></span></p>', '<p>a</p>'],
    [
      'u, s, sub, sup, mark and br stay',
      '<p><u>a</u><s>b</s><sub>c</sub><sup>d</sup><mark>e</mark><br>f</p>',
      '<p><u>a</u><s>b</s><sub>c</sub><sup>d</sup><mark>e</mark><br>f</p>',
    ],
    [
      'goes into the blocks that it is around',
      '<b><p>a</p><p>b</p></b>',
      '<p><strong>a</strong></p><p><strong>b</strong></p>',
    ],
    ['inside the same formatting says nothing', '<b>a<strong>b</strong></b>', '<p><strong>ab</strong></p>'],
    ['around nothing goes', '<p>a<b></b><i><u></u></i></p>', '<p>a</p>'],
    ['is put in order', '<p><b>a<i>b</b>c</i></p>', '<p><strong>a<em>b</em></strong><em>c</em></p>'],
    [
      'lang and dir stay on anything',
      '<p lang=ar dir=RTL><em lang="de-AT">a</em></p>',
      '<p lang="ar" dir="rtl"><em lang="de-AT">a</em></p>',
    ],
    ['lang of a div stays with its paragraphs', '<div lang=ar>a<p>b</p></div>', '<p lang="ar">a</p><p lang="ar">b</p>'],
    ['a wrong lang goes', '<p lang="x y" dir=up>a</p>', '<p>a</p>'],
    ['style, class, id and handlers go', '<p style=x class=y id=z onclick=w data-a=b>a</p>', '<p>a</p>'],
    ['text is escaped', '<p>&lt;b&gt; &amp; "c" &nbsp; &copy;</p>', '<p>&lt;b&gt; &amp; "c" &nbsp; ©</p>'],
    ['space at the ends goes, whatever it is in', '<p> <!-- c --> <b> a</b> <i> </i></p>', '<p><strong>a</strong></p>'],
    ['comments go', 'a<!-- b --><![CDATA[c]]>d', '<p>ad</p>'],
  ],
  links: [
    [
      'keep address, title and language',
      '<a href="/a?b=1&amp;c" title="t" hreflang=de class=x>a</a>',
      '<p><a href="/a?b=1&amp;c" title="t" hreflang="de">a</a></p>',
    ],
    [
      'to a new window are cut off from the page',
      '<a href=/a target=_BLANK rel=opener>a</a>',
      '<p><a href="/a" target="_blank" rel="noopener noreferrer">a</a></p>',
    ],
    ['to other windows are not kept', '<a href=/a target=_top>a</a>', '<p><a href="/a">a</a></p>'],
    [
      'may be mail, telephone, fragment and relative',
      '<a href="mailto:a@b.cd">a</a><a href="tel:+1">b</a><a href="#c">c</a><a href="d/e">d</a>',
      '<p><a href="mailto:a@b.cd">a</a><a href="tel:+1">b</a><a href="#c">c</a><a href="d/e">d</a></p>',
    ],
    ['without a scheme are https', '<a href="//example.com">a</a>', '<p><a href="https://example.com">a</a></p>'],
    ['with spaces are encoded', '<a href=" a b.pdf ">a</a>', '<p><a href="a%20b.pdf">a</a></p>'],
    ['without an address are text', '<a>a</a><a name=b>b</a><a href="ftp://c">c</a>', '<p>abc</p>'],
    [
      'around blocks go into them',
      '<a href=/a><h2>a</h2><p>b</p></a>',
      '<h2><a href="/a">a</a></h2><p><a href="/a">b</a></p>',
    ],
  ],
  pictures: [
    [
      'keep what they need',
      `<img src=/a.png alt="a &quot;b&quot;" title=t width=10 height="20" loading=LAZY data-media-id=${ID.toUpperCase()} srcset=x onerror=y>`,
      `<p><img src="/a.png" alt="a &quot;b&quot;" title="t" width="10" height="20" data-media-id="${ID}" loading="lazy"></p>`,
    ],
    ['of the library need no address', `<img data-media-id="${ID}">`, `<p><img data-media-id="${ID}"></p>`],
    ['without an address go', '<p>a<img alt=b><img src="data:image/png,x"><img src="mailto:a">c</p>', '<p>ac</p>'],
    [
      'stand in figures with captions',
      '<figure data-align=wide class=x><img src=/a.png><figcaption>b</figcaption></figure>',
      '<figure data-align="wide"><img src="/a.png"><figcaption>b</figcaption></figure>',
    ],
    [
      'have no other alignment',
      '<figure data-align=top><img src=/a.png></figure>',
      '<figure><img src="/a.png"></figure>',
    ],
    [
      'in a picture element stay',
      '<picture><source srcset=/a.webp><img src=/a.png></picture>',
      '<p><img src="/a.png"></p>',
    ],
  ],
  players: [
    [
      'of the two hosts stay',
      '<p>a<iframe src="//www.youtube-nocookie.com/embed/x?a=1&b" title="t" width=560 height=315 allowfullscreen allow="camera" sandbox="" srcdoc="x" onload=y>b</iframe>c</p>',
      `<p>a</p><iframe src="https://www.youtube-nocookie.com/embed/x?a=1&amp;b" title="t" width="560" height="315" allowfullscreen=""${IFRAME_REST}<p>c</p>`,
    ],
    [
      'of vimeo stay',
      '<iframe src="https://player.vimeo.com/video/1"></iframe>',
      `<iframe src="https://player.vimeo.com/video/1"${IFRAME_REST}`,
    ],
    ...[
      ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=1m5s', 'dQw4w9WgXcQ?start=65'],
      ['http://youtube.com/embed/dQw4w9WgXcQ?si=x&amp;start=9', 'dQw4w9WgXcQ?start=9'],
      ['//www.youtube.com/embed/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
      ['https://youtu.be/dQw4w9WgXcQ?t=30', 'dQw4w9WgXcQ?start=30'],
      ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ].map(([src, player]): [string, string, string] => [
      `at ${src} get the player without cookies`,
      `<iframe src="${src}"></iframe>`,
      `<iframe src="https://www.youtube-nocookie.com/embed/${player}"${IFRAME_REST}`,
    ]),
    [
      'at the page of a video of vimeo get its player',
      '<iframe src="https://vimeo.com/76979871"></iframe>',
      `<iframe src="https://player.vimeo.com/video/76979871"${IFRAME_REST}`,
    ],
    ...[
      'https://www.youtube.com/',
      'https://youtube.com.evil.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com@evil.com/embed/dQw4w9WgXcQ',
      'https://u:p@www.youtube.com/embed/dQw4w9WgXcQ',
      'https://www.youtube.com/redirect?q=https://evil.com',
      'http://player.vimeo.com/video/1',
      'https://player.vimeo.com.evil.com/',
      'https://evil-player.vimeo.com/video/1',
      'https://evil.player.vimeo.com/video/1',
      'https://player.vimeo.com@evil.com/',
      'https://evil.com/?player.vimeo.com',
      '/embed',
      'https://player.vimeo.com:8443/',
      'https://u:p@player.vimeo.com/',
      'javascript:1',
    ].map((src): [string, string, string] => [`at ${src} go`, `<iframe src="${src}">text</iframe>`, '']),
  ],
  'videos and sounds of the library': [
    [
      'stay, with controls and without anything else',
      `<p>a<video data-media-id=${ID} src="${FILE}" title=t width=640 height=x autoplay poster=x onplay=y>no video</video>b</p>`,
      `<p>a</p><video src="${FILE}" title="t" width="640"${PLAYER_REST}></video><p>b</p>`,
    ],
    ['need no address', `<audio data-media-id="${ID}"></audio>`, `<audio${PLAYER_REST}></audio>`],
    [
      'are known by their address',
      `<figure><video controls><source src="/x.mp4"><source src="https://cms.test${FILE}"></video><figcaption>c</figcaption></figure>`,
      `<figure><video src="${FILE}"${PLAYER_REST}></video><figcaption>c</figcaption></figure>`,
    ],
    [
      'have no address of elsewhere',
      `<video data-media-id=${ID} src="https://evil.test/a.mp4"></video>`,
      `<video${PLAYER_REST}></video>`,
    ],
    [
      'of elsewhere go',
      '<p>a</p><video src="https://evil.test/a.mp4">b</video><audio src="/media/x/y.mp3">c</audio><video><source src="data:x"></video>',
      '<p>a</p>',
    ],
  ],
  'links to entries': [
    [
      'keep the id, with or without an address',
      `<a href=/a data-entry-id=${ID.toUpperCase()} title=t>a</a><a data-entry-id="${ID}">b</a>`,
      `<p><a href="/a" data-entry-id="${ID}" title="t">a</a><a data-entry-id="${ID}">b</a></p>`,
    ],
    [
      'have no address that must not be followed',
      `<a href="javascript:1" data-entry-id="${ID}">a</a>`,
      `<p><a data-entry-id="${ID}">a</a></p>`,
    ],
    ['need an id', '<a data-entry-id="1">a</a>', '<p>a</p>'],
  ],
  'dropped with their content': [
    ...'script style template noscript object svg math title button select textarea noembed noframes'
      .split(' ')
      .map((tag): [string, string, string] => [tag, `<p>a</p><${tag}>b</${tag}><p>c</p>`, '<p>a</p><p>c</p>']),
    ['void elements', '<p>a<embed src=x><input value=b><link rel=x><meta><base href=x><wbr><area>c</p>', '<p>ac</p>'],
  ],
}

for (const [group, cases] of Object.entries(rules))
  describe(group, () => {
    for (const [rule, from, to] of cases)
      test(rule, () => {
        assert.equal(cleanHtml(from), to)
        assert.equal(cleanHtml(to), to)
        assert.deepEqual(dangersIn(to), [])
      })
  })

test('a site can allow more players', () => {
  const html = '<iframe src="https://maps.example.com/embed"></iframe>'
  assert.equal(cleanHtml(html), '')
  assert.equal(cleanHtml(html, ['maps.example.com']), `<iframe src="https://maps.example.com/embed"${IFRAME_REST}`)
})

describe('limits', () => {
  for (const [name, open, close] of [
    ['quotations', '<blockquote>', '</blockquote>'],
    ['lists', '<ul><li>', '</li></ul>'],
    ['tables', '<table><tr><td>', '</td></tr></table>'],
    ['divs', '<div>', '</div>'],
    ['spans', '<span>', '</span>'],
    ['formatting', '<b><i><u><s>', '</s></u></i></b>'],
    ['different formatting', '<del lang=aa><sub lang=bb><mark>', ''],
    ['unclosed links', '<a href=/x><p>', ''],
    ['svg', '<svg><g>', '</g></svg>'],
    ['templates', '<template>', '</template>'],
    ['details', '<details><summary>s</summary>', '</details>'],
    ['figures', '<figure><figcaption>', '</figcaption></figure>'],
  ])
    test(`ten thousand ${name} inside each other keep their text, 256 levels deep at most`, () => {
      const cleaned =
        cleanHtml(`${open?.repeat(10_000)}core${close?.repeat(10_000)}<p>after</p>`) ?? assert.fail('it fits')
      assert.ok(depthOf(cleaned) <= 256, `${depthOf(cleaned)} levels`)
      assert.equal(cleanHtml(cleaned), cleaned)
      if (name !== 'svg' && name !== 'templates') assert.match(textOfHtml(cleaned), /core ?after/)
    })

  test('what is nested less deep stays as it is', () => {
    const deep = `${'<blockquote>'.repeat(240)}<p>a</p>${'</blockquote>'.repeat(240)}`
    assert.equal(cleanHtml(deep), deep)
  })

  test('a megabyte fits, a byte more does not, in or out', () => {
    assert.equal(cleanHtml(`<p>${'a'.repeat(1_048_576 - 7)}</p>`)?.length, 1_048_576)
    assert.equal(cleanHtml(`<p>${'a'.repeat(1_048_576 - 6)}</p>`), null)
    assert.equal(cleanHtml('ä'.repeat(524_289)), null)
    assert.equal(cleanHtml('a'.repeat(1_048_576)), null)
  })

  test('formatting around very many blocks does not multiply the document', () => {
    const link = `<a href="/${'x'.repeat(4000)}">`
    assert.equal(cleanHtml(link + '<p>a'.repeat(30_000)), null)
    const fonts = Array.from({ length: 100 }, (_, index) => `<font size=${index}>`).join('')
    assert.equal(cleanHtml(`<p>${fonts}a${'<p>a'.repeat(5000)}`)?.length, 5001 * 8)
  })

  test('a tag with very many attributes does not take very long', () => {
    const attributes = Array.from({ length: 50_000 }, (_, index) => `a${index}=1`).join(' ')
    assert.equal(cleanHtml(`<p lang=de ${attributes}>a</p>`), '<p lang="de">a</p>')
  })
})

test('the text of cleaned HTML is that of its words', () => {
  assert.equal(textOfHtml('<h2>A</h2><p>b<strong>c</strong> &lt;d&gt;<br>e</p>'), 'A bc <d> e')
  assert.equal(textOfHtml('<'.repeat(100_000)).length, 100_000)
})
