import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DesignSurface, type DesignValue, designManifest } from './design.ts'
import { cssValue, designCss } from './design-css.ts'

const declared = designManifest.parse({
  surfaces: [
    {
      id: 'brand',
      label: 'Brand',
      properties: [
        { key: 'main', label: 'Main', type: 'color', css: '--main', default: '#123456' },
        { key: 'scale', label: 'Scale', type: 'number', css: '--scale', default: 1 },
        { key: 'gap', label: 'Gap', type: 'length', css: '--gap', default: '1rem' },
        {
          key: 'font',
          label: 'Font',
          type: 'font',
          css: '--font',
          default: 'serif',
          options: [
            { value: 'serif', label: 'Serif' },
            { value: '"Inter", sans-serif', label: 'Inter' },
          ],
        },
        { key: 'hero', label: 'Hero', type: 'media', css: '--hero', default: null },
      ],
    },
    {
      id: 'footer',
      label: 'Footer',
      selector: '.site[data-end="</style>"] footer',
      properties: [{ key: 'main', label: 'Main', type: 'color', css: '--main', default: '#000' }],
    },
  ],
}).surfaces
const [brand, footer] = declared as [DesignSurface, DesignSurface]

const sheet = (...given: [DesignSurface, Record<string, DesignValue>][]) =>
  designCss(given.map(([surface, values]) => ({ surface, overrides: new Map(Object.entries(values)) })))

describe('the style sheet', () => {
  test('has the custom properties that were set, under the selector of their surface', () => {
    assert.equal(
      sheet(
        [brand, { main: '#ff0000', scale: 1.5, gap: '0', font: '"Inter", sans-serif' }],
        [footer, { main: 'rgb(1 2 3 / 50%)' }],
      ),
      [
        ':root {',
        '  --main: #ff0000;',
        '  --scale: 1.5;',
        '  --gap: 0;',
        '  --font: "Inter", sans-serif;',
        '}',
        '.site[data-end="\\3c /style>"] footer {',
        '  --main: rgb(1 2 3 / 50%);',
        '}',
        '',
      ].join('\n'),
    )
  })

  test('is empty when nothing was set', () => {
    assert.equal(sheet([brand, {}], [footer, {}]), '')
  })

  test('leaves out what is no value of its property, and what no property has', () => {
    assert.equal(sheet([brand, { main: 'red', scale: '1', gap: '1', font: 'Comic', other: '#fff' }]), '')
  })

  test('names pictures by their address', () => {
    assert.equal(
      sheet([brand, { hero: 'https://cms.test/media/1/ab/a%20b(1).png' }]),
      ':root {\n  --hero: url("https://cms.test/media/1/ab/a%20b\\28 1\\29 .png");\n}\n',
    )
  })

  test('holds one declaration per value and nothing else, whatever the values are', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          "'",
          ';',
          '}',
          '{',
          '(',
          ')',
          '\\',
          '\n',
          '\r',
          '\f',
          '</style>',
          '/*',
          '*/',
          'a',
          '#fff',
        ),
      }),
      fc.double(),
      fc.constant(null),
    )
    fc.assert(
      fc.property(fc.constantFrom(...brand.properties), hostile, (property, value) => {
        const text = sheet([brand, { [property.key]: value }])
        const inside = cssValue(property, value)
        if (inside === null) return assert.equal(text, '')
        assert.equal(text, `:root {\n  ${property.css}: ${inside};\n}\n`)
        const bare = property.type === 'media' ? /^url\("([^"]*)"\)$/.exec(inside)?.[1] : inside
        assert.ok(bare !== undefined)
        assert.doesNotMatch(bare, /[;{}<>\n\r\f]|\/\*/)
        if (property.type === 'media') assert.doesNotMatch(bare, /[()'"]|\\(?![0-9a-f]{1,6} )/)
      }),
      { numRuns: 3_000 },
    )
  })
})
