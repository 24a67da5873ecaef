import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from './csv.ts'

test('no more lines are kept than were asked for', () => {
  assert.deepEqual(parseCsv('a\n\nb\nc\nd\n', 3), [['a'], ['b'], ['c']])
  assert.deepEqual(parseCsv('"a\nb",c\n"d', 3), [['a\nb', 'c'], ['d']])
  assert.equal(parseCsv('a\n'.repeat(1_000_000), 10_002).length, 10_002)
  assert.deepEqual(parseCsv(`a\n${','.repeat(1_000_001)}\nb`, 10_002), [])
})

test('doubled quotes are one, also at the ends and without an end', () => {
  assert.deepEqual(parseCsv('"a""b","""c""",""""\n"d"" e'), [['a"b', '"c"', '"'], ['d" e']])
  assert.deepEqual(parseCsv(`"${'""'.repeat(3)}"x,y`), [['"""x', 'y']])
})
