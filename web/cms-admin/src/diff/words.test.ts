import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import type { Fold } from './fold.ts'
import { diffLines, foldLines, type LineRow } from './lines.ts'
import { diffItems, type Run } from './runs.ts'
import { diffWords } from './words.ts'

const signs = { same: '', added: '+', removed: '-' }
const written = (runs: readonly Run<string>[]) =>
  runs.map(({ kind, items }) => (kind === 'same' ? items.join('') : `[${signs[kind]}${items.join('')}]`)).join('')
const side = (runs: readonly Run<string>[], gone: 'added' | 'removed') =>
  runs.flatMap(({ kind, items }) => (kind === gone ? [] : items)).join('')
const lines = (rows: readonly (LineRow | Fold)[]) =>
  rows.map((row) =>
    row.kind === 'fold'
      ? `…${row.count}`
      : row.kind === 'same'
        ? ` ${row.text}`
        : `${signs[row.kind]}${written(row.words)}`,
  )

describe('words', () => {
  test('are listed as added and removed, with neighbors joined', () => {
    assert.equal(written(diffWords('The quick fox', 'The slow fox')), 'The [-quick][+slow] fox')
    assert.equal(written(diffWords('a big dog sat', 'a small cat sat')), 'a [-big dog][+small cat] sat')
    assert.equal(written(diffWords('Hello', 'Hello, world')), 'Hello[+, world]')
    assert.equal(written(diffWords('same', 'same')), 'same')
    assert.equal(written(diffWords('', 'new')), '[+new]')
    assert.equal(written(diffWords('from 6:00 on', 'from 7:00 on')), 'from [-6:00][+7:00] on')
    assert.equal(written(diffWords('今日は晴れ', '今日は雨')), '今日は[-晴れ][+雨]')
  })

  test('give back both texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'it’s', ' ', '\n', '.', '😀', '漢'), { maxLength: 40 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const runs = diffWords(a.join(''), b.join(''))
        assert.equal(side(runs, 'added'), a.join(''))
        assert.equal(side(runs, 'removed'), b.join(''))
      }),
      { seed: 8, numRuns: 300 },
    )
  })

  test('of texts that have nothing in common are not searched for long', () => {
    const many = (word: string) => Array.from({ length: 100_000 }, (_, at) => `${word}${at}`).join(' ')
    const started = workMs()
    const runs = diffWords(`start ${many('a')} end`, `start ${many('b')} end`)
    assert.ok(workMs() - started < 5_000)
    assert.deepEqual([runs[0]?.kind, runs.at(-1)?.kind], ['same', 'same'])
    assert.equal(side(runs, 'added').length, `start ${many('a')} end`.length)
  })
})

describe('lines', () => {
  test('are listed with what changed inside of them', () => {
    assert.deepEqual(lines(diffLines('# Title\none two three\nlast', '# Title\none 2 three\nlast')), [
      ' # Title',
      '-one [-two] three',
      '+one [+2] three',
      ' last',
    ])
    assert.deepEqual(lines(diffLines('a', 'something else')), ['-[-a]', '+[+something else]'])
    assert.deepEqual(lines(diffLines('a\nb', 'a')), [' a', '-[-b]'])
  })

  test('far from any change are left out', () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    const changed = text.map((line, at) => (at === 10 ? 'other' : line))
    assert.deepEqual(lines(foldLines(diffLines(text.join('\n'), changed.join('\n')))), [
      '…8',
      ' line 8',
      ' line 9',
      '-[-line 10]',
      '+[+other]',
      ' line 11',
      ' line 12',
      '…7',
    ])
  })
})

test('sequences that differ too much go and come between what they share', () => {
  const runs = diffItems(['a', '1', '2', '3', 'z'], ['a', '4', '5', '6', 'z'], String, 2)
  assert.deepEqual(
    runs.map(({ kind, items }) => `${kind} ${items.join('')}`),
    ['same a', 'removed 123', 'added 456', 'same z'],
  )
})
