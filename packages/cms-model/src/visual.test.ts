import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isPositional, selectorProblem, withoutSpaces } from './selectors.ts'
import { visualDefinition, visualDefinitions, visualOf } from './visual.ts'
import { websiteManifest } from './website.ts'

const problemsOf = (schema: { safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } } }) => {
  return (value: unknown): string[] => (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'))
}

describe('selectors', () => {
  const right = [
    '.hero',
    '#top',
    'main > section.hero',
    'section[data-hero]',
    'a[href^="https://"] , a[href$=".pdf" i]',
    'main :is(h1, h2) em',
    'article:has(> img):not(.plain, [hidden])',
    'li:nth-child(2n + 1)',
    'h1 + p ~ p',
    '.größe\\:wide',
    '*',
    'p:lang(en)',
  ]
  const wrong = [
    '',
    '  ',
    '.',
    '#',
    '.hero {',
    'a, ',
    ', a',
    '> a',
    'a >',
    'a > > b',
    '[href',
    '[=x]',
    'a:not(',
    'a:not()',
    'a:',
    '::',
    'p::before',
    '.a"b"',
    '<b>',
    '1abc',
    '.a:nth-child()',
    'a)b',
    'x'.repeat(501),
  ]
  for (const text of right) test(`${text} can be used`, () => assert.equal(selectorProblem(text), null))
  for (const text of wrong) test(`${text.slice(0, 20)} is refused`, () => assert.notEqual(selectorProblem(text), null))

  test('what depends on the position is found', () => {
    for (const text of ['li:nth-child(2)', 'p:first-of-type', 'a:last-child', 'b:only-child', 'a + b', 'a ~ b'])
      assert.equal(isPositional(text), true, text)
    for (const text of ['.first-thing', 'a[title="a + b"]', 'main > p', '[data-nth="1"]', 'a[rel~=next]'])
      assert.equal(isPositional(text), false, text)
  })

  test('no text makes the check fail or hang', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'.#[]()":\'>+~, ab\\-*=1n'), maxLength: 500 }), (text) => {
        assert.ok(['string', 'object'].includes(typeof selectorProblem(text)))
      }),
      { seed: 7, numRuns: 2000 },
    )
  })
})

test('selectors that differ in spaces only are equal', () => {
  const same = (a: string, b: string): boolean => withoutSpaces(a) === withoutSpaces(b)
  assert.ok(same('main>.a,.b', ' main  >  .a , .b\n'))
  assert.ok(!same('main .a', 'main.a'))
  assert.ok(!same('[title="a > b"]', '[title="a>b"]'))
  const sections = ['main > .a', 'main>.a'].map((selector, index) => ({ id: `s${index}`, label: 'S', selector }))
  assert.deepEqual(problemsOf(visualDefinition)({ sections }), ['sections.1.selector'])
})

describe('visual definitions', () => {
  const section = { id: 'hero', label: 'Hero', selector: '.hero', fields: ['heroTitle'] }

  test('what is left out is filled in', () => {
    assert.deepEqual(visualDefinition.parse({ sections: [section], fields: { $title: 'h1' } }), {
      sections: [{ ...section, movable: true }],
      fields: { $title: 'h1' },
      references: {},
      formatted: [],
    })
  })

  test('the definition of a type is found by its own name only', () => {
    const definitions = visualDefinitions.parse({ article: { sections: [section] } })
    assert.equal(visualOf(definitions, 'article')?.sections[0]?.id, 'hero')
    assert.equal(visualOf(definitions, 'toString'), undefined)
  })

  test('what cannot work is refused where it stands', () => {
    const refusals: [unknown, string][] = [
      [{ sections: [{ ...section, id: 'a b' }] }, 'sections.0.id'],
      [{ sections: [section, { ...section, selector: '.other' }] }, 'sections.1.id'],
      [{ sections: [section, { ...section, id: 'twin' }] }, 'sections.1.selector'],
      [{ sections: [{ ...section, selector: 'section:nth-child(2)' }] }, 'sections.0.selector'],
      [{ sections: [{ ...section, selector: 'main >' }] }, 'sections.0.selector'],
      [{ sections: [{ ...section, fields: ['hero_title'] }] }, 'sections.0.fields.0'],
      [{ sections: [{ ...section, collection: { type: 'Posts', label: 'Posts' } }] }, 'sections.0.collection.type'],
      [{ fields: { title_text: 'h1' } }, 'fields.title_text'],
      [{ fields: { heroTitle: '' } }, 'fields.heroTitle'],
      [{ references: { $title: { type: 'article', label: 'A' } } }, 'references.$title'],
      [{ formatted: ['__layout'] }, 'formatted.0'],
    ]
    for (const [definition, path] of refusals)
      assert.deepEqual(problemsOf(visualDefinition)(definition), [path], JSON.stringify(definition))
    assert.deepEqual(problemsOf(visualDefinition)({ blocks: [] }), [''])
    assert.deepEqual(problemsOf(visualDefinitions)({ 'Blog Post': {} }), ['Blog Post'])
  })

  test('sections that stay in their place may be found by it, and share a selector', () => {
    const fixed = { ...section, movable: false, selector: 'section:first-child' }
    assert.deepEqual(problemsOf(visualDefinition)({ sections: [fixed, { ...fixed, id: 'twin' }] }), [])
  })
})

describe('website manifests', () => {
  const part = { id: 'nav', label: 'Navigation', selector: 'header nav' }
  const menu = { kind: 'menu', name: 'main', label: 'Main', defaults: [{ label: 'Home', url: '/' }] }

  test('the three kinds of source are taken', () => {
    const sources = [
      menu,
      { kind: 'entry', type: 'footer', fields: ['text', '$title'] },
      { kind: 'settings', fields: ['title', 'logoId'] },
    ]
    const parts = sources.map((source, index) => ({ ...part, id: `part${index}`, source }))
    assert.deepEqual(problemsOf(websiteManifest)({ previewUrl: '/', parts }), [])
  })

  test('what cannot work is refused where it stands', () => {
    const refusals: [object, string][] = [
      [{ source: { kind: 'page' } }, 'parts.0.source.kind'],
      [
        { source: { ...menu, defaults: [{ label: 'Bad', url: 'javascript:alert(1)' }] } },
        'parts.0.source.defaults.0.url',
      ],
      [{ source: { kind: 'entry', type: 'footer', fields: [] } }, 'parts.0.source.fields'],
      [{ source: { kind: 'settings', fields: ['revisionLimit'] } }, 'parts.0.source.fields.0'],
      [{ source: menu, selector: 'nav {' }, 'parts.0.selector'],
    ]
    for (const [members, path] of refusals)
      assert.deepEqual(problemsOf(websiteManifest)({ previewUrl: '/', parts: [{ ...part, ...members }] }), [path])
    for (const previewUrl of ['home', '//evil.test/', 'https://example.com/', '/\\evil.test', '/a b'])
      assert.deepEqual(problemsOf(websiteManifest)({ previewUrl, parts: [] }), ['previewUrl'], previewUrl)
    const twice = [part, part].map((one) => ({ ...one, source: menu }))
    assert.deepEqual(problemsOf(websiteManifest)({ previewUrl: '/', parts: twice }), ['parts.1.id'])
  })
})
