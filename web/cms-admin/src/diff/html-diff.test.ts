import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import type { Fold } from './fold.ts'
import { type Block, blocksOf } from './html-blocks.ts'
import { type BlockRow, diffHtml, foldBlocks } from './html-diff.ts'

const text = ({ inlines }: Pick<Block, 'inlines'>) =>
  inlines.map(({ text, picture }) => (picture ? `(${picture.alt})` : text)).join('')
const shape = (block: Block) => `${'>'.repeat(block.depth)}${block.quoted ? '“' : ''}${block.kind}: ${text(block)}`
const signs = { same: '', added: '+', removed: '-' }
const summaryOf = (rows: readonly (BlockRow | Fold)[]) =>
  rows.map((row) => {
    if (row.kind === 'fold') return `…${row.count}`
    if (row.kind !== 'changed') return `${signs[row.kind]}${shape(row.block)}`
    const runs = row.runs.map(({ kind, items }) => {
      const words = text({ inlines: items })
      return kind === 'same' ? words : `[${signs[kind]}${words}]`
    })
    return `${row.was ? `${row.was.kind}=>` : ''}${row.block.kind}~ ${runs.join('')}`
  })

describe('the lines of rich text', () => {
  test('are paragraphs, headings, items, rows, pictures and players', () => {
    const html =
      '<h2>Head</h2><p>One <strong>two</strong></p><ul><li>a<ol><li><p>b</p><p>c</p></li></ol></li></ul>' +
      '<blockquote><p>q</p></blockquote><pre><code>x\n  y</code></pre><hr>' +
      '<table><tbody><tr><th>A</th><td><p>B</p></td></tr></tbody></table>' +
      '<figure><img src="/m.png" alt="Harbour"><figcaption>Cap</figcaption></figure>' +
      '<details><summary>More</summary><p>inside</p></details><iframe src="https://player.vimeo.com/1"></iframe>'
    assert.deepEqual(blocksOf(html).map(shape), [
      'h2: Head',
      'p: One two',
      '>item: a',
      '>>ordered: b',
      '>>p: c',
      '“p: q',
      'code: x\n  y',
      'rule: ',
      'row: A | B',
      'p: (Harbour)',
      'caption: Cap',
      'summary: More',
      'p: inside',
      'embed: https://player.vimeo.com/1',
    ])
  })

  test('keep formatting and addresses as marks', () => {
    const [block] = blocksOf('<p>a <a href="/x"><em>b</em></a></p>')
    assert.deepEqual(block?.inlines.at(-1), { text: 'b', marks: ['a /x', 'em'] })
  })
})

describe('what changed in rich text', () => {
  test('is shown word by word in the line, and as whole lines otherwise', () => {
    assert.deepEqual(
      summaryOf(diffHtml('<p>One two three</p><p>Stays</p>', '<p>One 2 three</p><p>Stays</p><p>New</p>')),
      ['p~ One [-two][+2] three', 'p: Stays', '+p: New'],
    )
    assert.deepEqual(summaryOf(diffHtml('<p>gone</p>', '<p>entirely other words</p>')), [
      '-p: gone',
      '+p: entirely other words',
    ])
  })

  test('is found where lines came between', () => {
    assert.deepEqual(
      summaryOf(
        diffHtml(
          '<p>The harbour opens at six</p><p>Tickets are sold there</p>',
          '<p>Please note</p><p>The harbour opens at seven</p><p>Bring a coat</p><p>Tickets are sold here</p>',
        ),
      ),
      [
        '+p: Please note',
        'p~ The harbour opens at [-six][+seven]',
        '+p: Bring a coat',
        'p~ Tickets are sold [-there][+here]',
      ],
    )
  })

  test('is also formatting, a link, another kind of line, and a picture', () => {
    const rows = diffHtml('<p>a bold move</p>', '<p>a <strong>bold</strong> move</p>')
    assert.deepEqual(summaryOf(rows), ['p~ a [-bold][+bold] move'])
    assert.equal(
      summaryOf(diffHtml('<p>see <a href="/a">here now</a></p>', '<p>see <a href="/b">here now</a></p>')).length,
      1,
    )
    assert.deepEqual(summaryOf(diffHtml('<p>Opening hours</p>', '<h2>Opening hours</h2>')), ['p=>h2~ Opening hours'])
    assert.deepEqual(summaryOf(diffHtml('<p><img src="/a" alt="A"></p>', '<p><img src="/b" alt="B"></p>')), [
      '-p: (A)',
      '+p: (B)',
    ])
  })

  test('leaves out lines that are the same far from any change', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `<p>line number ${at}</p>`)
    const html = lines.join('')
    assert.deepEqual(summaryOf(foldBlocks(diffHtml(html, `${html}<p>end</p>`))), ['…8', 'p: line number 8', '+p: end'])
  })

  test('reads markup that is no formatting as nothing that runs', () => {
    const [block] = blocksOf('<p onclick="x()">a<script>alert(1)</script><img src=x onerror=y></p>')
    assert.deepEqual(Object.keys(block?.inlines.at(-1)?.picture ?? {}), ['mediaId', 'src', 'alt'])
  })

  test('compares word by word until it costs too much; later lines go and come as a whole, and none is lost', () => {
    const words = ['quay', 'light', 'paper', 'winter', 'lamp', 'string', 'door', 'harbour']
    const pageOf = (seed: number) => {
      let state = seed
      const word = () => {
        state = (state * 48_271) % 2_147_483_647
        return words[state % words.length]
      }
      return Array.from({ length: 200 }, () => `<p>${Array.from({ length: 120 }, word).join(' ')}</p>`).join('')
    }
    const after = pageOf(99)
    const rows = diffHtml(pageOf(7), after)
    const kinds = new Set(rows.map(({ kind }) => kind))
    assert.ok(kinds.has('changed') && kinds.has('added') && kinds.has('removed'), [...kinds].join())
    const shown = rows.filter(({ kind }) => kind !== 'removed').map(({ block }) => block)
    assert.deepEqual(shown, blocksOf(after))
  })

  test('is bounded for a megabyte of text', () => {
    const page = (word: string) =>
      Array.from({ length: 4_000 }, (_, at) => `<p>${`${word}${at} lorem ipsum dolor sit amet `.repeat(8)}</p>`).join(
        '',
      )
    const before = page('a')
    assert.ok(before.length > 900_000)
    for (const after of [page('b'), before.replaceAll('lorem', 'LOREM'), `${before}<p>end</p>`]) {
      const started = workMs()
      const rows = diffHtml(before, after)
      const took = workMs() - started
      assert.ok(took < 6_000, `took ${Math.round(took)} ms`)
      assert.ok(rows.length >= 4_000)
    }
  })
})
