import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import { imageUrls, isSigned } from './images.ts'
import { sanitizeHtml } from './sanitize.ts'
import { sanitizeHtmlAsync } from './sanitize-async.ts'
import { textToHtml } from './text.ts'
import { rewrite } from './write.ts'

const images = { cid: (cid: string) => `/part/${cid}`, remote: (url: string) => `/proxy?u=${encodeURIComponent(url)}` }
const whole = (html: string): string => sanitizeHtml(html, images).html
/** Without the element that stands for the body. */
const clean = (html: string): string => whole(html).replace(/^<div class="m_mail">(.*)<\/div>$/s, '$1')
const sheet = (css: string): string =>
  /^<style>\n(.*)\n<\/style>/s.exec(whole(`<style>${css}</style><p>a</p>`))?.[1]?.replace(/\s+/g, ' ') ?? ''

describe('HTML of a message', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['scripts go', '<p>a<script>alert(1)</script>b</p>', '<p>ab</p>'],
    ['handlers go', '<p onclick="x()">a</p>', '<p>a</p>'],
    ['svg and math go', '<svg><a href="javascript:x"></a></svg><math><mi>x</mi></math>y', 'y'],
    ['a style element without rules goes', '<style>p{}</style><p>a</p>', '<p>a</p>'],
    ['forms and their fields go', '<form action=x><input name=a>text<button>go</button></form>', 'text'],
    ['frames go', '<iframe src="https://x.example"></iframe>a', 'a'],
    [
      "ids and names go, classes are the message's own",
      '<p id=a class="b m_mail 1x" name=c>x</p>',
      '<p class="m_b">x</p>',
    ],
    ['base, meta and link go', '<base href=//x><meta http-equiv=refresh content=0><link rel=x href=y>a', 'a'],
    ['safe styles stay', '<p style="color: red; position: fixed">a</p>', '<p style="color: red">a</p>'],
    ['url() goes', '<p style="background: url(https://x.example/a)">a</p>', '<p>a</p>'],
    [
      'the colour beside a url() stays',
      '<p style="background: #fff url(\'https://x.example/a\') no-repeat">a</p>',
      '<p style="background: #fff no-repeat">a</p>',
    ],
    ['escapes in styles go', '<p style="background: u\\72l(x); color: \\72 ed">a</p>', '<p>a</p>'],
    ['negative margins go', '<p style="margin: 0 -10px">a</p>', '<p>a</p>'],
    ['comments go', '<!-- a --><p>b<!--[if mso]>c<![endif]--></p>', '<p>b</p>'],
    ['javascript links lose their address', '<a href="java&#10;script:x">a</a>', '<a>a</a>'],
    ...[
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'vbscript:x',
      'data:text/html,x',
      'file:///x',
      'blob:x',
      '/x',
      '#x',
    ].map((href) => [`a link to ${href} loses its address`, `<a href="${href}">a</a>`, '<a>a</a>'] as const),
    [
      'links open outside',
      '<a href="https://x.example/" target=_top>a</a>',
      '<a href="https://x.example/" target="_blank" rel="noopener noreferrer nofollow">a</a>',
    ],
    ['a cid picture gets its address', '<img src="cid:a%40b" alt=x>', '<img alt="x" src="/part/a@b">'],
    ['srcset goes', '<img srcset="https://x.example/a 2x">', '<img>'],
    ['an SVG in an address is no picture', '<img src="data:image/svg+xml;base64,AAAA">', '<img>'],
    ['unknown elements are unwrapped', '<x-y><p>a</p></x-y>', '<p>a</p>'],
    [
      'table layout stays',
      '<table width=600 bgcolor=#fff><tr><td>a</table>',
      '<table width="600" bgcolor="#fff"><tbody><tr><td>a</td></tr></tbody></table>',
    ],
  ]
  for (const [name, html, expected] of cases) test(name, () => assert.equal(clean(html), expected))

  test('remote images are counted, and invisible ones separately', () => {
    const html =
      '<img src="https://a.example/x.png"><img src=https://t.example/p width=1 height=1><img src="//t.example/q" style="display:none"><img src="cid:c">'
    const { remoteImages, trackingPixels, cids } = sanitizeHtml(html, { cid: () => null, remote: () => null })
    assert.deepEqual({ remoteImages, trackingPixels, cids }, { remoteImages: 3, trackingPixels: 2, cids: ['c'] })
    assert.equal(sanitizeHtml(html, { cid: () => null, remote: () => null }).html.includes('src='), false)
  })

  test('remote content that is never shown is reported, too', () => {
    const remote = (html: string) => sanitizeHtml(html, { cid: () => null, remote: () => null }).hasOtherRemote
    for (const html of [
      '<td background="https://a.test/x.png">',
      '<div style="background: url( //a.test/x )">',
      '<style>@import "https://a.test/x.css"</style>',
      '<img srcset="https://a.test/2x 2x">',
      '<video poster=http://a.test/p>',
    ])
      assert.equal(remote(html), true, html)
    for (const html of ['<a href="https://a.test/">url(x)</a>', '<img src="cid:x">', '<p>https://a.test/</p>'])
      assert.equal(remote(html), false, html)
  })

  const PIECES = (
    '<p> </p> <div> </div> <a href="https://x.example"> </a> <table> <tr> <td> </td> </table> <b> </b> <i> <font color=red> ' +
    '<style> </style> <script> </script> <svg> </svg> <math> <mtext> <mglyph> <title> </title> <textarea> </textarea> <select> ' +
    '<noscript> </noscript> <xmp> <plaintext> <template> <form> <button> <li> </li> <ul> <dl> <dd> <h1> <h2> <pre> <hr> <caption> <col> <th> <tbody> <summary> <details> <nobr> <body/bgcolor=red> <u> <code> <marquee> <fieldset> <menu> <p> <a> <li> <dd> <h3> <img/src=x/onerror=1> <!-- --> ' +
    '<![CDATA[ ]]> &lt;script&gt; &amp; " \' < > <img/src="https://x.example"> <p/title="</style><script>"> <center> <option> text'
  ).split(' ')

  test('whatever goes in, no active element and no handler comes out', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const html = clean(pieces.join(''))
        const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map((match) => match[1])
        assert.ok(
          !tags.some((tag) =>
            /^(?:script|svg|math|form|input|button|textarea|select|iframe|template|title)$/.test(tag ?? ''),
          ),
        )
        assert.ok(
          !JSON.stringify(parseFragment(html), (key, value) => (key === 'parentNode' ? undefined : value)).includes(
            '"onerror"',
          ),
        )
      }),
      { seed: 20260501, numRuns: runs(200, 600) },
    )
  })

  test('what comes out is what a parser reads, and stays so', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const written = clean(pieces.join(''))
        assert.equal(rewrite(written), written)
        const read = serialize(parseFragment(written))
        assert.equal(serialize(parseFragment(read)), read)
      }),
      { seed: 11, numRuns: runs(400, 1_500) },
    )
  })

  test('deep and unclosed markup is bounded', () => {
    for (const html of [
      '<div>'.repeat(50_000),
      '<b><p>'.repeat(5000),
      '<table><tr><td>'.repeat(3000),
      '<a>'.repeat(50_000),
    ])
      assert.ok(clean(html).length < 4_000_000)
  })
})

describe('stylesheets of a message', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['rules are inside the message', 'p, td.a b{color:red}', '.m_mail p, .m_mail td.m_a b { color: red }'],
    ['the body is the message', 'html body.x, body > table{margin:0}', '.m_mail.m_x, .m_mail > table { margin: 0 }'],
    ['nothing beside the message is reached', 'body + p, body ~ p, + p, > p, p >{color:red}', ''],
    [
      'ids, attributes and unknown elements are no selectors',
      '#a, [href], p[x=y], video, ::before, :has(p){color:red}',
      '',
    ],
    [
      'a class by its attribute',
      'td[class="wide"], *[class~=wide]{width:100%}',
      '.m_mail td.m_wide, .m_mail *.m_wide { width: 100% }',
    ],
    [
      'states and places',
      'a:hover, tr:nth-child(2n+1) td{color:red}',
      '.m_mail a:hover, .m_mail tr:nth-child(2n+1) td { color: red }',
    ],
    [
      'what loads goes',
      '@import "https://x.example/a.css"; @font-face{src:url(x)} p{background-image:url(x);color:red}',
      '.m_mail p { color: red }',
    ],
    [
      'what floats above goes',
      'p{position:fixed;z-index:9;top:0;color:red!important}',
      '.m_mail p { color: red !important }',
    ],
    [
      'rules for widths stay',
      '@media only screen and (max-width: 600px){.c{width:100%!important}} @supports (x){p{color:red}}',
      '@media only screen and (max-width: 600px) { .m_mail .m_c { width: 100% !important } }',
    ],
    [
      'conditions that say something else go',
      '@media screen and (x:url(y)){p{color:red}} @media \\73 creen{p{color:red}}',
      '',
    ],
    [
      'escapes and comments hide nothing',
      'p{/*;}*/color:red;w\\69 dth:1px;background:u\\72l(x)}',
      '.m_mail p { color: red }',
    ],
    ['a block that is never closed ends', 'p{color:red', '.m_mail p { color: red }'],
    ['the text of comments of HTML', '<!-- p{color:red} -->', '.m_mail p { color: red }'],
  ]
  for (const [name, css, expected] of cases) test(name, () => assert.equal(sheet(css), expected))

  test('the body keeps its colours, direction and classes', () => {
    assert.equal(
      whole(
        '<html><body bgcolor="#fafafa" text="black" style="font-size: 14px; position: fixed" class="a" dir=rtl onload=x()>b',
      ),
      '<div class="m_mail m_a" style="background-color: #fafafa; color: black; font-size: 14px" dir="rtl">b</div>',
    )
  })

  test('whatever stands in one, the style element ends where we end it', () => {
    const parts = [
      'p',
      '{',
      '}',
      ';',
      ':',
      '@media screen',
      '</style',
      '<script>',
      '<!--',
      '/*',
      '*/',
      '\\',
      '"',
      "'",
      '.a',
      'color:red',
      '(',
      ')',
      ',',
      '>',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (pieces) => {
        const css = sheet(pieces.join(''))
        assert.ok(!/[<\\]|url|@(?!media)/.test(css))
        assert.equal((css.match(/\{/g) ?? []).length, (css.match(/\}/g) ?? []).length)
        assert.ok(
          css
            .split(/[{}]/)
            .every((piece, index) => index % 2 === 1 || piece.trim() === '' || /m_mail|@media|:/.test(piece)),
        )
      }),
      { seed: 5, numRuns: runs(200, 600) },
    )
  })

  test('long ones end in time', () => {
    for (const css of [
      '{'.repeat(200_000),
      'p{'.repeat(100_000),
      `${' '.repeat(200_000)}>`,
      'a,'.repeat(100_000),
      `p{background:${'url('.repeat(50_000)}`,
    ])
      assert.ok(whole(`<style>${css}</style>`).length < 300_000)
  })
})

describe('text of a message', () => {
  test('addresses become links and nothing becomes markup', () => {
    assert.equal(
      textToHtml('See <b>https://x.example/a?b=c&d</b>, (www.y.example). Ask ann@x.example!').replace(
        / target="_blank" rel="[^"]*"/g,
        '',
      ),
      '<div style="white-space: pre-wrap; overflow-wrap: anywhere">See &lt;b&gt;<a href="https://x.example/a?b=c&amp;d">https://x.example/a?b=c&amp;d</a>' +
        '&lt;/b&gt;, (<a href="https://www.y.example/">www.y.example</a>). Ask <a href="mailto:ann@x.example">ann@x.example</a>!</div>',
    )
  })

  test('a quote in an address ends it', () => {
    const html = textToHtml(
      'https://x.example/"onmouseover="alert(1) javascript:alert(1) https://x.example/\'><img src=x onerror=alert(1)>',
    )
    assert.ok(!/<img|<[^>]*\son\w+=|href="javascript/i.test(html))
  })
})

describe('pictures of a message', () => {
  const proxy = { path: '/p', key: Buffer.from('key'), owner: 'a' }

  test('are signed for one mailbox and one address', () => {
    const address = imageUrls({ parts: new Map(), proxy }).remote('https://x.example/a b') ?? ''
    const [, signature = '', url = ''] = /^\/p\/([\w-]{43})\?url=(.*)$/.exec(address) ?? []
    assert.equal(decodeURIComponent(url), 'https://x.example/a b')
    assert.equal(isSigned(proxy, 'https://x.example/a b', signature), true)
    assert.equal(isSigned({ ...proxy, owner: 'b' }, 'https://x.example/a b', signature), false)
    assert.equal(isSigned(proxy, 'https://x.example/a', signature), false)
  })

  test('long HTML is cleaned in a thread, with the same result', async () => {
    const html = `<p>${'<img src="https://x.example/a"><img src="cid:b"> text '.repeat(6_000)}</p>`
    const source = { parts: new Map([['b', '/part']]), proxy }
    assert.deepEqual(await sanitizeHtmlAsync(html, source), sanitizeHtml(html, imageUrls(source)))
  })
})
