import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import { sanitizeHtml } from './sanitize.ts'

const images = { cid: (cid: string) => `/part/${cid}`, remote: (url: string) => `/proxy?u=${encodeURIComponent(url)}` }
const clean = (html: string): string => sanitizeHtml(html, images).html

describe('HTML of a message', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['scripts go', '<p>a<script>alert(1)</script>b</p>', '<p>ab</p>'],
    ['handlers go', '<p onclick="x()">a</p>', '<p>a</p>'],
    ['svg and math go', '<svg><a href="javascript:x"></a></svg><math><mi>x</mi></math>y', 'y'],
    ['style elements go', '<style>p{}</style><p>a</p>', '<p>a</p>'],
    ['forms and their fields go', '<form action=x><input name=a>text<button>go</button></form>', 'text'],
    ['frames go', '<iframe src="https://x.example"></iframe>a', 'a'],
    ['ids, names and classes go', '<p id=a class=b name=c>x</p>', '<p>x</p>'],
    ['base, meta and link go', '<base href=//x><meta http-equiv=refresh content=0><link rel=x href=y>a', 'a'],
    ['safe styles stay', '<p style="color: red; position: fixed">a</p>', '<p style="color: red">a</p>'],
    ['url() goes', '<p style="background: url(https://x.example/a)">a</p>', '<p>a</p>'],
    ['escapes in styles go', '<p style="background: u\\72l(x); color: \\72 ed">a</p>', '<p>a</p>'],
    ['negative margins go', '<p style="margin: 0 -10px">a</p>', '<p>a</p>'],
    ['comments go', '<!-- a --><p>b<!--[if mso]>c<![endif]--></p>', '<p>b</p>'],
    ['javascript links lose their address', '<a href="java&#10;script:x">a</a>', '<a>a</a>'],
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

  test('remote pictures are counted, and those that nobody sees are told apart', () => {
    const html =
      '<img src="https://a.example/x.png"><img src=https://t.example/p width=1 height=1><img src="//t.example/q" style="display:none"><img src="cid:c">'
    const { remoteImages, trackingPixels, cids } = sanitizeHtml(html, { cid: () => null, remote: () => null })
    assert.deepEqual({ remoteImages, trackingPixels, cids }, { remoteImages: 3, trackingPixels: 2, cids: ['c'] })
    assert.equal(sanitizeHtml(html, { cid: () => null, remote: () => null }).html.includes('src='), false)
  })

  const PIECES = (
    '<p> </p> <div> </div> <a href="https://x.example"> </a> <table> <tr> <td> </td> </table> <b> </b> <i> <font color=red> ' +
    '<style> </style> <script> </script> <svg> </svg> <math> <mtext> <mglyph> <title> </title> <textarea> </textarea> <select> ' +
    '<noscript> </noscript> <xmp> <plaintext> <template> <form> <button> <li> <ul> <h1> <pre> <img/src=x/onerror=1> <!-- --> ' +
    '<![CDATA[ ]]> &lt;script&gt; &amp; " \' < > <img/src="https://x.example"> <p/title="</style><script>"> <center> <option> text'
  ).split(' ')

  test('whatever goes in, no active element and no handler comes out', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const html = clean(pieces.join(''))
        const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map((match) => match[1])
        assert.ok(
          !tags.some((tag) =>
            /^(?:script|style|svg|math|form|input|button|textarea|select|iframe|template|title)$/.test(tag ?? ''),
          ),
        )
        assert.ok(
          !JSON.stringify(parseFragment(html), (key, value) => (key === 'parentNode' ? undefined : value)).includes(
            '"onerror"',
          ),
        )
      }),
      { seed: 20260501, numRuns: 600 },
    )
  })

  test('what comes out means the same each time it is read and written again', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const read = serialize(parseFragment(clean(pieces.join(''))))
        assert.equal(serialize(parseFragment(read)), read)
      }),
      { seed: 11, numRuns: 500 },
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
