import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { type CanvasInput, canvasDocument } from './canvas-document.ts'

const CONTROLLER = 'globalThis.controller = 1 < 2 && "&amp;"'
const HASH = `sha256-${'A'.repeat(43)}=`
const canvas = (html: string, more: Partial<CanvasInput> = {}) =>
  canvasDocument({
    html,
    pageUrl: 'https://site.example/news/one?preview=t&visual=1#top',
    controller: CONTROLLER,
    controllerHash: HASH,
    channel: 'channel-of-the-test',
    locale: 'en',
    ...more,
  })
const written = (html: string, more: Partial<CanvasInput> = {}): string => {
  const made = canvas(html, more)
  assert.ok(made.ok, JSON.stringify(made))
  return made.html
}
/** What is in the body, without the controller. */
const bodyOf = (html: string, more: Partial<CanvasInput> = {}): string =>
  /<body[^>]*>(.*)<script data-channel/s.exec(written(html, more))?.[1] ?? assert.fail()
const headOf = (html: string): string =>
  /<style data-cms-canvas="">.*?<\/style>(.*)<\/head>/s.exec(written(html))?.[1] ?? ''

type Node = DefaultTreeAdapterTypes.ChildNode
const elementsIn = (html: string): DefaultTreeAdapterTypes.Element[] => {
  const found: DefaultTreeAdapterTypes.Element[] = []
  const waiting: Node[] = [...parse(html).childNodes].reverse()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('attrs' in node) found.push(node)
    if ('content' in node) waiting.push(...node.content.childNodes)
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed())
  }
  return found
}
const attribute = (element: DefaultTreeAdapterTypes.Element | undefined, name: string) =>
  element?.attrs.find((one) => one.name === name)?.value

const ADDRESS = /^(href|src|action|formaction|poster|background|data|cite|to|values|from|by|srcset)$/

/** Everything in a document that may not be in a canvas. */
const faultsIn = (html: string): string[] => {
  const elements = elementsIn(html)
  const faults: string[] = []
  const named = (name: string) => elements.filter((element) => element.tagName.toLowerCase() === name)
  const [script, ...scripts] = named('script')
  if (scripts.length > 0 || attribute(script, 'data-channel') !== 'channel-of-the-test') faults.push('a script')
  const text = script?.childNodes[0]
  if (!text || !('value' in text) || text.value !== CONTROLLER) faults.push('another controller')
  if (elements.at(-1) !== script) faults.push('something after the controller')
  const policies = named('meta').filter((element) => attribute(element, 'http-equiv') !== undefined)
  if (policies.length !== 1 || elements[elements.findIndex(({ tagName }) => tagName === 'head') + 1] !== policies[0])
    faults.push('the policy')
  if (named('base').length !== 1) faults.push('base')
  for (const name of 'iframe object embed portal frame frameset fencedframe applet template noscript'.split(' '))
    if (named(name).length > 0) faults.push(name)
  for (const { tagName, attrs } of elements)
    for (const { name, value } of attrs) {
      if (/^on/i.test(name) || /^(srcdoc|autofocus|nonce|ping|action|formaction)$/i.test(name))
        faults.push(`${tagName} ${name}`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them in addresses
      const address = value.replace(/[\u0000-\u0020]/g, '').toLowerCase()
      if (ADDRESS.test(name) && /^(javascript|vbscript):|^data:(?!(image|video|audio|font)\/)/.test(address))
        faults.push(`${tagName} ${name}=${value}`)
      if (/^data-cms-/.test(name) && !/^data-cms-(section|field|part|hidden|fixed|canvas)$/.test(name))
        faults.push(name)
    }
  return faults
}

describe('the document of a canvas', () => {
  test('has the policy first, one base, the class, and the controller last', () => {
    const html = written(
      '<!doctype html><html class="js"><head><title>T</title></head><body class=b><p>Hi</p></body></html>',
    )
    assert.match(
      html,
      /^<!doctype html><html class="js cms-canvas" lang="en"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-A{43}='; style-src \* 'unsafe-inline'; img-src \* data: blob:; font-src \* data:; media-src \* data: blob:; form-action 'none'; connect-src 'none'; frame-src 'none'; base-uri https:\/\/site\.example"><base href="https:\/\/site\.example\/news\/one\?preview=t&amp;visual=1">/,
    )
    assert.ok(
      html.endsWith(
        `<body class="b"><p>Hi</p><script data-channel="channel-of-the-test">${CONTROLLER}</script></body></html>`,
      ),
    )
    assert.deepEqual(faultsIn(html), [])
  })

  for (const [rule, from, to] of [
    [
      'has no scripts',
      '<p>a</p><script>x()</script><svg><script>y()</script><g></g></svg>',
      '<p>a</p><svg><g></g></svg>',
    ],
    ['has no event attributes', '<p onclick=x() ONLOAD=y() class=k>a</p>', '<p class="k">a</p>'],
    ['has no addresses that run', '<a href="java&Tab;script:x()">a</a><a href=" VBSCRIPT:x">b</a>', '<a>a</a><a>b</a>'],
    ['has no addresses of documents in themselves', '<a href="data:text/html,x">a</a>', '<a>a</a>'],
    ['keeps pictures in themselves', '<img src="data:image/png;base64,AA">', '<img src="data:image/png;base64,AA">'],
    [
      'has no forms that are sent',
      '<form action=/x name=n><button formaction=/y>b</button></form>',
      '<form><button>b</button></form>',
    ],
    ['takes no focus', '<input autofocus>', '<input>'],
    ['has no shadow trees of its own', '<x-a><template shadowrootmode=open><p>s</p></template>a</x-a>', '<x-a>a</x-a>'],
    ['keeps text of old elements as text', '<xmp><b>a</b></xmp>', '<pre>&lt;b&gt;a&lt;/b&gt;</pre>'],
    [
      'does not animate addresses',
      '<svg><a><set attributeName=href to=javascript:x() /></a></svg>',
      '<svg><a></a></svg>',
    ],
    [
      'has boxes of the same size in place of frames',
      '<iframe src=/x width=400 height="50%" class=v style="border:0"></iframe>',
      '<span class="v cms-canvas-frame" style="width:400px;height:50%;border:0"></span>',
    ],
    [
      'keeps a first line break',
      '<pre>\n\na</pre><textarea>\n\nb</textarea>',
      '<pre>\n\na</pre><textarea>\n\nb</textarea>',
    ],
  ] as const)
    test(rule, () => assert.equal(bodyOf(`<!doctype html><body>${from}`), to))

  test('has the styles of the page, and nothing else that is fetched ahead', () => {
    const links = '<link rel=stylesheet href=/a.css integrity=x crossorigin><link rel=preload href=/b.js as=script>'
    const more = '<link rel="modulepreload" href=/c.js><link rel=manifest href=/m><link rel="dns-prefetch" href=//x>'
    assert.equal(headOf(`<head>${links}${more}`), '<link rel="stylesheet" href="/a.css">')
  })

  test('has styles at once that a script would have put in place', () => {
    const late = `<link rel=preload as=style href=/a.css onload="this.rel='stylesheet'">`
    const print = `<link rel=stylesheet media=print href=/b.css onload="this.media='all'">`
    assert.equal(
      headOf(`<head>${late}${print}`),
      '<link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css">',
    )
  })

  test('has no refresh, policy or base of the page, but keeps to its base within the site', () => {
    const html = written(
      '<head><base href="/sub/"><base href="https://evil.example/"><meta http-equiv=refresh content="0;url=/x">',
    )
    assert.match(html, /<base href="https:\/\/site\.example\/sub\/">/)
    assert.deepEqual(faultsIn(html), [])
    assert.match(written('<base href="https://evil.example/">'), /<base href="https:\/\/site\.example\/news\/one\?/)
  })

  test('keeps the marks of declared sections, fields and parts, each section once', () => {
    const known = { sections: ['hero'], fields: ['title', 'text'], parts: ['menu'] }
    const page =
      '<section data-cms-section="hero" data-cms-hidden="" data-cms-fixed="" data-cms-x="1">' +
      '<h1 data-cms-field="title other text">a</h1></section><div data-cms-section="hero" data-cms-hidden>b</div>' +
      '<nav data-cms-part="menu">c</nav><p data-cms-field="nothing">d</p>'
    assert.equal(
      bodyOf(page, { known }),
      '<section data-cms-section="hero" data-cms-hidden="" data-cms-fixed=""><h1 data-cms-field="title text">a</h1></section>' +
        '<div>b</div><nav data-cms-part="menu">c</nav><p>d</p>',
    )
  })

  test('says whether there is anything to edit', () => {
    const hasMarks = (html: string) => {
      const made = canvas(html)
      return made.ok && made.hasMarks
    }
    assert.equal(hasMarks('<p data-cms-field="a">a</p>'), true)
    assert.equal(hasMarks('<p>a</p>'), false)
  })

  test('names no element like a member that the controller needs', () => {
    assert.equal(
      bodyOf(
        '<img name=body><form id=a name=querySelector><input name=closest><input id=matches><input id=mail></form>',
      ),
      '<img><form id="a"><input><input><input id="mail"></form>',
    )
  })

  test('is refused for a page that is too long, or of too many elements', () => {
    assert.deepEqual(canvas('a'.repeat(5_242_881)), { ok: false, reason: 'too_large' })
    assert.deepEqual(canvas('<b></b>'.repeat(60_000) + '<br>'.repeat(60_000)), { ok: false, reason: 'too_complex' })
  })

  test('is made of pages of any depth', () => {
    for (const tag of ['div', 'b', 'svg', 'table', 'a', 'p', 'select', 'button'])
      assert.deepEqual(faultsIn(written(`<${tag}>`.repeat(20_000))), [], tag)
  })

  test('refuses a controller, hash, channel or address that it could not hold', () => {
    assert.throws(() => canvas('', { controller: 'a</script>' }))
    assert.throws(() => canvas('', { controllerHash: "sha256-x'; script-src *" }))
    assert.throws(() => canvas('', { channel: '"><script>' }))
    assert.throws(() => canvas('', { pageUrl: 'javascript:x' }))
  })
})

const tags = (
  'p div span b i a h1 ul li table tbody tr td caption form button select option input textarea title style script noscript ' +
  'template iframe object embed frameset frame head body html base meta link svg math mi mtext mglyph malignmark annotation-xml ' +
  'foreignObject desc title set animate use image xmp plaintext listing noembed noframes br img video audio source x-y nobr font'
).split(' ')
const attributes = [
  ...[
    '',
    '',
    '',
    ' onclick=x()',
    ' onerror=x() src=x',
    ' href=javascript:x()',
    ' href="&#1;java&NewLine;script:x()"',
    ' autofocus',
  ],
  ...[
    ' src=data:text/html,x',
    ' xlink:href=javascript:x()',
    ' action=javascript:x()',
    ' formaction=/x',
    ' srcdoc="<script>x()</script>"',
  ],
  ...[
    ' http-equiv=refresh content="0;url=javascript:x()"',
    ' rel=stylesheet href=/a.css',
    ' rel=import href=/x',
    ' encoding=text/html',
  ],
  ...[
    ' attributeName=href to=javascript:x()',
    ' shadowrootmode=open',
    ' title="</style><script>x()</script>"',
    ' data-cms-section=hero',
  ],
  ...[
    ` title='--><img src=x onerror=x()>'`,
    ' data-cms-evil=1',
    ' type=image/svg+xml data=/x',
    ' a"b=1',
    ' name=body',
    ' ping=/x',
  ],
]
const texts = [
  'x',
  '\n',
  '&lt;script&gt;',
  '<!--',
  '-->',
  '--!>',
  '<![CDATA[',
  ']]>',
  '</',
  '</style>',
  '</title>',
  '</textarea>',
  '\0',
  '&nbsp;',
  '"',
  '<',
]
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...tags), fc.constantFrom(...attributes)).map(([tag, one]) => `<${tag}${one}>`),
  },
  { weight: 3, arbitrary: fc.constantFrom(...tags).map((tag) => `</${tag}>`) },
  { weight: 2, arbitrary: fc.constantFrom(...texts) },
)

describe('whatever the page', () => {
  test('only the controller could run in its canvas, and the canvas of the canvas is the same', () => {
    let refused = 0
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
        const made = canvas(pieces.join(''))
        if (!made.ok) {
          refused += 1
          return
        }
        assert.deepEqual(faultsIn(made.html), [])
        assert.equal(written(made.html), made.html)
      }),
      { seed: 20261116, numRuns: 1500 },
    )
    assert.ok(refused < 15, `${refused} pages could not be written down`)
  })
})
