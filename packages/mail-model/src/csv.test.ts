import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseCsv } from './csv.ts'

const read = (text: string, limits = { maxRows: 100_000 }) => parseCsv(text, limits).rows.map(({ fields }) => fields)

describe('comma-separated text', () => {
  test('doubled quotes are one, also at the ends', () => {
    assert.deepEqual(read('"a""b","""c""",""""\n"d" e'), [['a"b', '"c"', '"'], ['d e']])
    assert.deepEqual(read(`"${'""'.repeat(3)}"x,y`), [['"""x', 'y']])
  })

  test('a quote that nothing closes is a letter, and the next line is one of its own', () => {
    assert.deepEqual(read(`a\n"b\n${'c\n'.repeat(10_000)}d`).slice(0, 3), [['a'], ['"b'], ['c']])
    assert.deepEqual(read('a,b\n"c,d'), [
      ['a', 'b'],
      ['"c', 'd'],
    ])
  })

  test('rows know the line that they began on', () => {
    const { rows } = parseCsv('a\r\n\r\n"b\nc",d\re', { maxRows: 10 })
    assert.deepEqual(rows, [
      { line: 1, fields: ['a'] },
      { line: 3, fields: ['b\nc', 'd'] },
      { line: 5, fields: ['e'] },
    ])
  })

  test('the separator is the one outside of quotes in the first line', () => {
    assert.deepEqual(read('"a,b";c\nd,e;f'), [
      ['a,b', 'c'],
      ['d,e', 'f'],
    ])
    assert.deepEqual(read('a\tb;c'), [['a\tb', 'c']])
  })

  test('no more rows are kept than were asked for, and of too many fields nothing', () => {
    assert.deepEqual(parseCsv('a\n\nb\nc\n', { maxRows: 2 }), {
      rows: [
        { line: 1, fields: ['a'] },
        { line: 3, fields: ['b'] },
      ],
      isCut: true,
    })
    assert.equal(parseCsv('a\nb\n\n \n', { maxRows: 2 }).isCut, false)
    assert.equal(parseCsv('a\n'.repeat(1_000_000), { maxRows: 10_002 }).rows.length, 10_002)
    const limits = { maxRows: 10, maxFields: 1_000_000 }
    assert.deepEqual(parseCsv(`a\n${','.repeat(1_000_001)}\nb`, limits), { rows: [], isCut: true })
    assert.equal(parseCsv(`${','.repeat(1_000)}a`, limits).rows.length, 0)
  })

  test('every text that is written by the rules is read back, and none that is not fails', () => {
    const field = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', 'é', ' x') })
      .map((text) => text.trim())
    const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    fc.assert(
      fc.property(table, (rows) => {
        const written = rows.map((fields) => fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(','))
        const kept = rows.filter((fields) => fields.some((text) => text !== ''))
        assert.deepEqual(read(written.join('\r\n')), kept)
      }),
      { seed: 8, numRuns: 300 },
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', '\t') }), (text) => {
        assert.ok(read(text).flat().join('').length <= text.length)
      }),
      { seed: 9, numRuns: 500 },
    )
  })
})
