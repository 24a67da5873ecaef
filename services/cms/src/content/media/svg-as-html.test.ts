import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { readSvg } from './svg.ts'
import { SvgError } from './svg-error.ts'
import { parseSvg } from './svg-parser.ts'
import { svg } from './testing/fixtures.ts'

const isTaken = (bytes: Buffer): boolean => {
  try {
    readSvg(bytes)
    return true
  } catch (error) {
    if (error instanceof SvgError) return false
    throw error
  }
}

/** Elements in the order in which they end: how deep, what they are called, their attributes and their text. */
type Reading = { depth: number; name: string; attributes: string[]; text: string }[]

/** Letter case, line breaks in values, and the order of attributes are not what matters. */
const attribute = (name: string, value: string): string => `${name.toLowerCase()}=${value.replace(/[\r\n\t]/g, ' ')}`
const lines = (text: string): string => text.replace(/\r\n?/g, '\n')

const asXml = (bytes: Buffer): Reading => {
  const reading: Reading = []
  parseSvg(bytes, ({ prefix, name, attributes, text }, depth) =>
    reading.push({
      depth,
      name: (prefix === '' ? name : `${prefix}:${name}`).toLowerCase(),
      attributes: attributes
        .map((each) => attribute(each.prefix === '' ? each.name : `${each.prefix}:${each.name}`, lines(each.value)))
        .sort(),
      text: lines(text),
    }),
  )
  return reading
}

const asHtml = (bytes: Buffer): Reading => {
  const reading: Reading = []
  const walk = (node: DefaultTreeAdapterTypes.Element, depth: number): void => {
    let text = ''
    for (const child of node.childNodes) {
      if ('tagName' in child) walk(child, depth + 1)
      else if ('value' in child) text += child.value
    }
    reading.push({
      depth,
      name: node.tagName.toLowerCase(),
      attributes: node.attrs
        .map((each) => attribute(each.prefix ? `${each.prefix}:${each.name}` : each.name, each.value))
        .sort(),
      text: lines(text),
    })
  }
  const document = parse(new TextDecoder().decode(bytes))
  // html, head and body are there whatever the text is; what is in them counts.
  const elementsOf = (node: DefaultTreeAdapterTypes.ParentNode) =>
    node.childNodes.flatMap((child) => ('tagName' in child ? [child] : []))
  for (const part of elementsOf(document).flatMap(elementsOf)) for (const child of elementsOf(part)) walk(child, 0)
  return reading
}

const agrees = (bytes: Buffer): void => assert.deepEqual(asHtml(bytes), asXml(bytes), bytes.toString())

describe('a drawing that an HTML parser would read in another way', () => {
  const NS = 'xmlns="http://www.w3.org/2000/svg"'
  const inside: Record<string, string> = {
    'a comment that is whole for HTML': '<!--><script>alert(1)</script>-->',
    'another such comment': '<!---><script>alert(1)</script>-->',
    'a comment that HTML ends before': '<!-- --!><script>alert(1)</script> -->',
    'a comment that ends with three dashes': '<!-- a --->',
    'no namespace': '<g xmlns=""><script>alert(1)</script></g>',
    'data of another namespace without a prefix': '<g xmlns="urn:data"><script>alert(1)</script></g>',
    'an element of SVG with a prefix': '<s:g xmlns:s="http://www.w3.org/2000/svg"/>',
    'a font with a colour': '<font color="red"><path d="M0 0"/></font>',
    'a font with a face in capitals': '<font FACE="x"/>',
    'elements in a title': '<title><g/></title>',
    'a style in a description': '<desc><style>g{}</style></desc>',
    'elements of others in a title': '<title><x:y xmlns:x="urn:x"/></title>',
    'a section in a title': '<title><![CDATA[<script>]]></title>',
    'a paragraph': '<p/>',
    'a break': '<br></br>',
    'a picture of HTML': '<img/>',
    'a list in capitals': '<UL/>',
    'an attribute twice in different case': '<g id="a" ID="b"/>',
    'a link in capitals': '<use HREF="https://evil.test/x.svg#a"/>',
    'a base in capitals': '<g xml:BASE="https://evil.test/"/>',
    'a style in capitals': '<g STYLE="background:url(https://evil.test)"/>',
    'a target of animation in capitals': '<set ATTRIBUTENAME="href" to="#x"/>',
    'a character that HTML reads by windows-1252': '<text>&#128;</text>',
    'the same in an attribute': '<g id="&#x9C;"/>',
    'an entity without its semicolon': '<text>&lt</text>',
    'a NUL': '<text>\0</text>',
    'a form feed': '<text>\f</text>',
    'an unquoted attribute': '<g a=b/>',
    'an attribute without a value': '<g a/>',
    'attributes without a space between': '<g a="1"b="2"/>',
    'an attribute with a prefix that is not declared': '<g x:y="z"/>',
    'a slash between attributes': '<g / a="b"/>',
  }
  for (const [what, text] of Object.entries(inside)) test(`is refused: ${what}`, () => assert.ok(!isTaken(svg(text))))

  const whole: Record<string, string> = {
    'an instruction that HTML ends before': `<?xml version="1.0" a="><script>alert(1)</script>"?><svg ${NS}/>`,
    'an instruction with more than it may say': `<?xml version="1.0" x="y"?><svg ${NS}/>`,
    'a section before the root': `<![CDATA[ ]]><svg ${NS}/>`,
    'a section after the root': `<svg ${NS}/><![CDATA[ ]]>`,
    'a document type whose quotes do not end': `<!DOCTYPE svg SYSTEM "a>\n<svg ${NS}/>`,
    'a document type with an angle bracket': `<!DOCTYPE svg SYSTEM "a>b"><svg ${NS}/>`,
    'two document types': `<!DOCTYPE svg><!DOCTYPE svg><svg ${NS}/>`,
    'an internal subset': `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg ${NS}/>`,
    'a root with a prefix': '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>',
    'spaces that are none in XML': `\u00a0<svg ${NS}/>`,
  }
  for (const [what, text] of Object.entries(whole))
    test(`is refused: ${what}`, () => assert.ok(!isTaken(Buffer.from(text))))
})

describe('a drawing that is taken', () => {
  for (const text of [
    '<title>a &amp; b</title><desc>c <!-- d --> e</desc><g id="x"><path d="M0 0"/></g>',
    '<style><![CDATA[g > path { fill: red }]]></style><linearGradient id="a"/><a href="#a"><text>x</text></a>',
    '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><cc:Work rdf:about="" xmlns:cc="http://creativecommons.org/ns#"><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">x<cc:b/></dc:title></cc:Work></rdf:RDF></metadata><g/>',
    '<sodipodi:namedview xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" pagecolor="#fff"/><g/>',
    '<font><font-face font-family="x"/><glyph unicode="a"/></font><!----><!-- - --><!---a-->',
    '<text>é &#x20AC; &#13;&#10; \r\n&quot;&apos;&gt; ]] > ></text><svg x="1" viewBox="0 0 1 1"/>',
  ])
    test(`is the same in HTML: ${text.slice(0, 60)}`, () => {
      assert.ok(isTaken(svg(text)))
      agrees(svg(text))
    })

  test('is the same with a declaration, a document type, a byte order mark and comments around it', () => {
    const text = `\ufeff<?xml version="1.0" encoding="utf-8" standalone='no' ?>\n<!-- a -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>\n${svg('<g/>')}\n<!-- b -->\n`
    assert.ok(isTaken(Buffer.from(text)))
    agrees(Buffer.from(text))
  })

  const NAMES =
    'g path title desc style text a use font metadata x:y x:script s:g script p br b SPAN img table foreignObject svg linearGradient LINEARGRADIENT math annotation-xml image select plaintext'.split(
      ' ',
    )
  const ATTRIBUTES = [
    ...'id="a"|ID="b"|viewBox="0 0 1 1"|color="red"|size="1"|xmlns="http://www.w3.org/2000/svg"|xmlns=""|xmlns="urn:x"|xmlns:x="urn:x"|xmlns:s="http://www.w3.org/2000/svg"'.split(
      '|',
    ),
    ...'xlink:href="#a"|href="#b"|x:href=\'#c\'|a="&#130;"|a="&lt;&#10;"|a=\'"\'|a=">"|a="-->"|a=b|a|style="fill:red"'.split(
      '|',
    ),
  ]
  const TEXTS =
    'x|&amp;|&#128;|&lt|]]>|<!-- a -->|<!-->|<!--->|-->|--!>|<!-- --!>|<![CDATA[|<![CDATA[a]]>|<![CDATA[<b>]]>|]]|<?xml?>|<?a >?>|<!DOCTYPE svg>|\r\n|\t|é|>|"|</br>|</p>|</g>|<g|/>|<a |\u0085|\u00a0|\ufffd'.split(
      '|',
    )
  const tree: fc.Memo<string> = fc.memo((depth) => {
    const text = fc.oneof({ weight: 7, arbitrary: fc.constant('') }, fc.constantFrom(...TEXTS))
    if (depth <= 1) return text
    const attributes = fc
      .uniqueArray(fc.constantFrom(...ATTRIBUTES), { maxLength: 1 })
      .map((some) => some.map((each) => ` ${each}`).join(''))
    const name = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...NAMES.slice(0, 11)) }, fc.constantFrom(...NAMES))
    return fc
      .tuple(name, attributes, fc.boolean(), fc.array(tree(), { maxLength: 3 }), text)
      .map(([called, given, isEmpty, children, after]) =>
        isEmpty ? `<${called}${given}/>${after}` : `<${called}${given}>${children.join('')}</${called}>${after}`,
      )
  })

  test('is the same in HTML, whatever it holds', () => {
    let taken = 0
    const prologs = fc.constantFrom(
      '',
      '<!-- -->',
      '<!-->',
      '<!DOCTYPE svg>',
      '<?xml version="1.0"?>',
      '\ufeff',
      '<![CDATA[]]>',
      ' ',
    )
    const declared = 'xmlns:x="urn:x" xmlns:xlink="http://www.w3.org/1999/xlink"'
    fc.assert(
      fc.property(
        prologs,
        tree(4),
        prologs,
        fc.nat(200),
        fc.constantFrom('', '', '', '', '', '', '', '<', '>', '-', '"', "'", '/', '!', '&'),
        (before, inside, after, at, typo) => {
          const text = `${before}<svg xmlns="http://www.w3.org/2000/svg" ${declared}>${inside}</svg>${after}`
          const bytes = Buffer.from(typo === '' ? text : `${text.slice(0, at)}${typo}${text.slice(at + 1)}`)
          if (!isTaken(bytes)) return
          taken += 1
          agrees(bytes)
        },
      ),
      { numRuns: runs(6_000, 200_000), seed: 14 },
    )
    assert.ok(taken > 300, `${taken} were taken`)
  })
})
