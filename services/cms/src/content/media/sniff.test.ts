import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isMediaType } from '@stoa/cms-model/media.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { HEAD_BYTES, sniffType } from './sniff.ts'
import { readSvg } from './svg.ts'
import { SvgError } from './svg-error.ts'
import { parseSvg } from './svg-parser.ts'
import { files, picture, svg } from './testing/fixtures.ts'

describe('the type of a file', () => {
  test('is detected by its content', async () => {
    for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const)
      assert.equal(sniffType((await picture(format)).subarray(0, HEAD_BYTES)), `image/${format}`)
    assert.equal(sniffType(files.mp4), 'video/mp4')
    assert.equal(sniffType(files.mov), 'video/quicktime')
    assert.equal(sniffType(files.webm), 'video/webm')
    assert.equal(sniffType(files.pdf), 'application/pdf')
    for (const other of [files.heic, files.m4a, files.mkv]) assert.equal(sniffType(other), null)
  })

  test('of MP3 is detected by a tag, or by two frames at the right offsets', () => {
    assert.equal(sniffType(files.mp3), 'audio/mpeg')
    const frame = Buffer.alloc(417)
    frame.set([0xff, 0xfb, 0x90, 0x00])
    assert.equal(sniffType(Buffer.concat([frame, frame])), 'audio/mpeg')
    assert.equal(sniffType(frame), null)
    assert.equal(sniffType(Buffer.concat([frame, Buffer.alloc(500, 1)])), null)
    assert.equal(sniffType(Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0, 0, 0])), null)
  })

  test('of an SVG is detected by its first element', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '\ufeff<?xml version="1.0"?>\n<!-- made by x -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg\n>',
      '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>',
    ])
      assert.equal(sniffType(Buffer.from(text)), 'image/svg+xml')
    for (const text of [
      '<svgx>',
      '<html><svg>',
      '<!-- <svg>',
      'x<svg>',
      '<!doctype html><svg>',
      '<svg',
      '<!ENTITY><svg>',
    ])
      assert.equal(sniffType(Buffer.from(text)), null)
  })

  test('fuzz: whatever the bytes, the answer is a type or none, at once', async () => {
    const heads = [
      ...(await Promise.all((['jpeg', 'png', 'gif', 'webp', 'avif'] as const).map((format) => picture(format)))),
      ...Object.values(files),
      svg(),
    ]
    const mutated = fc
      .tuple(fc.constantFrom(...heads), fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 8 }), fc.nat(300))
      .map(([head, changes, length]) => {
        const bytes = Buffer.from(head.subarray(0, length))
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
        return bytes
      })
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 }).map(Buffer.from)), (bytes) => {
        const type = sniffType(bytes)
        assert.ok(type === null || isMediaType(type))
      }),
      { numRuns: runs(1_000, 4_000), seed: 43 },
    )
  })
})

const refusal = (bytes: Buffer | string): string => {
  try {
    readSvg(Buffer.from(bytes))
    return 'taken'
  } catch (error) {
    if (error instanceof SvgError) return error.message
    throw error
  }
}

describe('C50: a drawing', () => {
  for (const inside of [
    '<g id="a"><path d="M0 0h1"/></g><use xlink:href="#a" fill="url(#b)"/>',
    '<style>rect{fill:url(#a)} @font-face{src:url(data:font/woff2;base64,AAAA)}</style>',
    '<image href="data:image/png;base64,iVBORw0KGgo="/>',
    '<a href="https://example.com/"><text>x &amp; y &#x41;</text></a>',
    '<animate attributeName="opacity" values="0;1"/>',
    '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li/></rdf:RDF></metadata>',
    '<!-- a comment --><![CDATA[]]><text style="fill:red">x</text>',
  ])
    test(`may hold ${inside.slice(0, 60)}`, () => assert.equal(refusal(svg(inside)), 'taken'))

  for (const inside of [
    '<script>alert(1)</script>',
    '<script href="x.js"/>',
    '<s:script xmlns:s="http://www.w3.org/2000/svg"/>',
    '<SCRIPT/>',
    '<foreignObject/>',
    '<iframe/>',
    '<g onclick="x"/>',
    '<g ONLOAD="x"/>',
    '<g x:onload="x" xmlns:x="y"/>',
    '<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>',
    '<img xmlns="http://www.w3.org/1999/xhtml"/>',
    '<math xmlns="http://www.w3.org/1998/Math/MathML"/>',
    '<use href="https://evil.test/x.svg#a"/>',
    '<use xlink:href="data:image/svg+xml,%3Csvg/%3E#a"/>',
    '<image href="https://evil.test/pixel.png"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<image href="//evil.test/x.png"/>',
    '<feImage href="x.svg"/>',
    '<a href="javascript:alert(1)"/>',
    '<a href=" java&#9;script:alert(1)"/>',
    '<a href="&#x6a;avascript:alert(1)"/>',
    '<a xlink:href="data:text/html,x"/>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="xlink:href" to="#x"/>',
    '<set attributeName="onload" to="x"/>',
    '<animate attributeName="x" values="javascript:1"/>',
    '<g style="background:url(https://evil.test)"/>',
    '<g fill="url(https://evil.test/#a)"/>',
    '<g style="b:u\\72l(x)"/>',
    '<style>@import "https://evil.test/x.css";</style>',
    '<style>g{background:url(//evil.test)}</style>',
    '<style>g{-moz-binding:url(#x)}</style>',
    '<style><![CDATA[@import url(x)]]></style>',
    '<g xml:base="https://evil.test/"/>',
    '<animate attributeName="x"><handler/></animate>',
    '<?xml-stylesheet href="x"?>',
    '<!DOCTYPE svg>',
    '<!ENTITY x "y">',
    '&xxe;',
    '&#0;',
    '&#xD800;',
    '&',
    '<g a="1" a="2"/>',
    '<g a=1/>',
    '<g a="<"/>',
    '<p:g/>',
    '<g>',
    '</g>',
    ']]>',
    '<!-- -- -->',
    '\u0000',
    '<g\u000ca="b"/>',
  ])
    test(`with ${JSON.stringify(inside).slice(0, 70)} is refused`, () => assert.notEqual(refusal(svg(inside)), 'taken'))

  test('with declarations, another encoding or another root is refused', () => {
    const root = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    assert.equal(refusal(root), 'taken')
    assert.equal(
      refusal(`<?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE svg PUBLIC "a" "b">${root}`),
      'taken',
    )
    for (const text of [
      `<!DOCTYPE svg [<!ENTITY x "y">]>${root}`,
      `<!DOCTYPE svg SYSTEM "x" [<!ENTITY x SYSTEM "file:///etc/passwd">]>${root}`,
      `<?xml version="1.0" encoding="UTF-7"?>${root}`,
      `<?xml version="1.0" encoding="utf-16"?>${root}`,
      ` <?xml version="1.0"?>${root}`,
      `${root}${root}`,
      `${root}x`,
      '<svg/>',
      '<svg xmlns="http://www.w3.org/1999/xhtml"/>',
      '',
      '<g xmlns="http://www.w3.org/2000/svg"/>',
    ])
      assert.notEqual(refusal(text), 'taken', text)
    assert.notEqual(refusal(Buffer.from(root, 'utf16le')), 'taken')
    assert.notEqual(refusal(Buffer.concat([Buffer.from(root), Buffer.from([0xff])])), 'taken')
  })

  test('of any depth and number of elements is answered at once', () => {
    const started = workMs()
    assert.match(refusal(svg('<g>'.repeat(300) + '</g>'.repeat(300))), /too many elements/)
    assert.match(refusal(svg('<g/>'.repeat(60_000))), /too many elements/)
    refusal(svg('<'.repeat(500_000)))
    refusal(svg(`<g a="${' '.repeat(500_000)}`))
    refusal(svg(`<g style="${'url('.repeat(100_000)}"/>`))
    refusal(svg('&'.repeat(500_000)))
    assert.ok(workMs() - started < 3_000)
  })

  test('has the size that its attributes or its view box say', () => {
    const sizes = (attributes: string) => Object.values(readSvg(svg('', attributes)))
    assert.deepEqual(sizes('width="10mm" height="1in"'), [38, 96])
    assert.deepEqual(sizes('viewBox="0 0 24 12"'), [24, 12])
    assert.deepEqual(sizes('width="100%" viewBox="0,0,24,12"'), [24, 12])
    assert.deepEqual(sizes('width="48" viewBox="0 0 24 12"'), [48, 24])
    assert.deepEqual(sizes('width="1e9" height="x"'), [null, null])
    assert.deepEqual(sizes(''), [null, null])
  })

  test('fuzz: whatever the text, it is taken or refused, and what is taken holds no script', () => {
    const pieces = fc.constantFrom(
      ...'<svg |xmlns="http://www.w3.org/2000/svg"|>|</svg>|<g |</g>|/>|<script>|</script>|onload="x"| href="|"|javascript:|&#x|;|&amp;|<!--|-->|<![CDATA[|]]>|<?xml |?>|<!DOCTYPE svg|[|]|\u0000|é| |style="url(|)'.split(
        '|',
      ),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${parts.join('')}</svg>`)
        if (refusal(bytes) !== 'taken') return
        parseSvg(bytes, ({ name, attributes }) => {
          assert.notEqual(name, 'script')
          assert.ok(!attributes.some((attribute) => attribute.name.startsWith('on')))
        })
      }),
      { numRuns: runs(800, 3_000), seed: 43 },
    )
  })
})
