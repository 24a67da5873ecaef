import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { XmlError, xmlElements } from './xml.ts'

const read = (xml: string) => [...xmlElements(xml)].map(({ path, text }) => `${path}=${text}`)

describe('XML', () => {
  test('elements are given in the order of their ends, with their own text', () => {
    assert.deepEqual(read('\n<?xml version="1.0"?>\n<a x="1"><b> one </b><c/>two<b>t<!-- not this -->hree</b></a>'), [
      'a/b=one',
      'a/c=',
      'a/b=three',
      'a=two',
    ])
  })

  test('entities and sections are text, prefixes are no part of a name', () => {
    const xml = '<p:a xmlns:p="urn:x"><p:b>&lt;&amp;&#233;&#xe9;</p:b><c><![CDATA[<&amp;>]]></c></p:a>'
    assert.deepEqual(read(xml), ['a/b=<&éé', 'a/c=<&amp;>', 'a='])
  })

  test('attributes are given by name, in either quotes, with their entities read and their line ends as spaces', () => {
    const [inner, outer] = [
      ...xmlElements(`<a p:b="1"><c d='"&lt;>' e="&#233;&#xe9;&quot;&#10;\n& f" __proto__=""/></a>`),
    ]
    assert.deepEqual(Object.entries(inner?.attributes ?? {}), [
      ['d', '"<>'],
      ['e', 'éé"\n & f'],
      ['__proto__', ''],
    ])
    assert.deepEqual({ ...outer?.attributes }, { 'p:b': '1' })
  })

  test('an ampersand that begins no entity is one', () => {
    assert.deepEqual(read('<a><b>Bed & Breakfast</b>&b;&AMP;&</a>'), ['a/b=Bed & Breakfast', 'a=&b;&AMP;&'])
  })

  test('a document is read in pieces, whatever they cut in two', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `<row>é&amp;😀${index}</row>`)
    assert.deepEqual(read(`<a>${rows.join('')}</a>`), [...rows.map((_, index) => `a/row=é&😀${index}`), 'a='])
    const elements = xmlElements(`<a>${rows.join('')}<broken`)
    assert.equal(elements.next().value?.text, 'é&😀0')
  })

  test('a long text is cut, and what is too deep refused', () => {
    assert.equal(read(`<a>${'x'.repeat(100_000)}</a>`)[0]?.length, 'a='.length + 4_096)
    assert.equal(read('<a>'.repeat(20) + '</a>'.repeat(20)).length, 20)
    assert.throws(() => read('<a>'.repeat(21) + '</a>'.repeat(21)), XmlError)
  })

  for (const [name, xml] of [
    ['a document type', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['entities that grow', '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'],
    ['a character that there is not', '<a>&#9999999;</a>'],
    ['another end', '<a><b></a></b>'],
    ['no end', '<a><b></b>'],
    ['two roots', '<a/><b/>'],
    ['no XML', 'some text'],
    ['nothing', ''],
    ['a NUL', '<a>\u0000</a>'],
    ['an attribute without quotes', '<a b=c></a>'],
    ['an attribute without a value', '<a b></a>'],
    ['an attribute that does not end', '<a b="c></a>'],
    ['an attribute with a tag in it', '<a b="<c>"></a>'],
    ['an attribute twice', '<a b="1" b="2"></a>'],
  ] as const)
    test(`${name} is refused`, () => assert.throws(() => read(xml), XmlError))

  test('any text is read or refused (500 random ones)', () => {
    const unit = fc.constantFrom(
      '<a>',
      '</a>',
      '<a/>',
      '<',
      '>',
      '&',
      '&#9999999;',
      '&#xfffff;',
      '<!--',
      ']]>',
      '"',
      'é',
      'a',
    )
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        try {
          read(`<r>${text}</r>`)
        } catch (error) {
          assert.ok(error instanceof XmlError, String(error))
        }
      }),
      { seed: 31, numRuns: 500 },
    )
  })
})
