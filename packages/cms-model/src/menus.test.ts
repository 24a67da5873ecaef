import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createMenuInput, entriesOfMenu, menuItems, menuUrl, toMenuItems } from './menus.ts'

const SEED = 20_260_301

describe('where a menu may lead', () => {
  for (const url of [
    '/',
    '/about?x=1#y',
    '#',
    '#team',
    'https://example.com',
    'HTTP://example.com/a',
    'mailto:a@example.com',
    'tel:+49123',
  ])
    test(`to ${url}`, () => assert.equal(menuUrl(url), url))

  for (const url of [
    '',
    ' ',
    'about',
    './about',
    '?page=2',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\u0001javascript:alert(1)',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'blob:https://example.com/x',
    'https:example.com',
    'https://',
    'https:///example.com',
    'mailto:',
    'tel:',
    'https://exa\u202emple.com',
    `/${'x'.repeat(2048)}`,
  ])
    test(`never to ${JSON.stringify(url).slice(0, 40)}`, () => assert.equal(menuUrl(url), null))

  test('whatever is accepted stays on the site or has one of four schemes, and is accepted again as it is', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '#',
      ':',
      'javascript',
      'https',
      'mailto',
      'tel',
      'data',
      '\t',
      ' ',
      '@',
      'a.b',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (value) => {
        const url = menuUrl(value)
        if (url === null) return
        assert.equal(menuUrl(url), url)
        const { origin, protocol } = new URL(url, 'https://own.example/page')
        if (url.startsWith('/') || url.startsWith('#')) assert.equal(origin, 'https://own.example')
        else assert.match(protocol, /^(https?|mailto|tel):$/)
      }),
      { seed: SEED, numRuns: 3000 },
    )
  })
})

describe('the items of a menu', () => {
  const ids = () => {
    let last = 0
    return () => `made-${++last}`
  }

  test('are stored as they are shown, and saving what was shown changes nothing', () => {
    const leaf = fc.record({ label: fc.constantFrom('a', 'b'), url: fc.constantFrom('/', '#x') })
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({
          label: fc.constant('parent'),
          entryId: fc.uuid(),
          target: fc.constantFrom('_blank', '_self', null, undefined),
          children: fc.array(tie('tree'), { maxLength: 3 }),
        }),
      ),
    }))
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 4 }), (items) => {
        const sent = createMenuInput.parse({ name: 'main', items })
        const stored = toMenuItems(sent.items ?? [], ids())
        assert.deepEqual(menuItems.parse(JSON.parse(JSON.stringify(stored))), stored)
        const again = createMenuInput.parse({ name: 'main', items: stored })
        assert.deepEqual(toMenuItems(again.items ?? [], ids()), stored)
      }),
      { seed: SEED, numRuns: 200 },
    )
  })

  test('list the entries they link to, and from where', () => {
    const entryId = '01a1dd61-3b3a-7449-94b7-18a7c5fc9b6c'
    const items = [
      { label: 'a', entryId },
      { label: 'b', url: '/', children: [{ label: 'c', entryId }] },
    ]
    assert.deepEqual(entriesOfMenu(items), new Map([[entryId, ['0.entryId', '1.children.0.entryId']]]))
  })

  test('of any shape are refused or taken, and never throw', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (items) => {
        createMenuInput.safeParse({ name: 'main', items })
        createMenuInput.safeParse({ name: 'main', items: [{ label: 'x', url: '/', children: items }] })
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})
