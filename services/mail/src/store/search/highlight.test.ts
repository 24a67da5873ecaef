import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMatches } from './highlight.ts'

const matched = (text: string, ...wanted: string[]): string[] =>
  findMatches(text, wanted).map(({ start, end }) => text.slice(start, end))

test('words are found in any form of their letters, and whole', () => {
  assert.deepEqual(matched('Über CRÈME brûlée', 'uber', 'creme'), ['Über', 'CRÈME'])
  assert.deepEqual(matched('foosball foo', 'foo'), ['foo'])
  assert.deepEqual(matched('nothing here', 'x', '', '!?'), [])
})

test('beginnings of words are found by an asterisk', () => {
  assert.deepEqual(matched('Invoice and inventory', 'inv*'), ['Invoice', 'inventory'])
})

test('scripts without spaces are found inside of a run, also beside others', () => {
  assert.deepEqual(matched('ABC東京都の天気', '東京都', 'abc'), ['ABC東京都'])
  assert.deepEqual(matched('東京都の天気', '天'), ['天'])
})

test('a word longer than what is indexed is found by how it begins', () => {
  assert.deepEqual(matched(`a ${'n'.repeat(100)} b`, 'n'.repeat(100)), ['n'.repeat(100)])
})
