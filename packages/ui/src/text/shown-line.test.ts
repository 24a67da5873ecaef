import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownLine, spellInvisible } from './shown-line.ts'

test('signs that nobody sees, or that turn the text around them, are not shown', () => {
  assert.equal(shownLine('Bank\u202egnp.exe'), 'Bank gnp.exe')
  assert.equal(shownLine('\u200b\u2066 \u0000'), '')
})

test('names of every language stay as they are', () => {
  for (const name of ['Ada Lovelace', 'Ελένη', '山田 太郎', 'محمد', 'Zoë 🐢', "O'Neil-Åström"])
    assert.equal(shownLine(name), name)
})

test('where the exact text matters, invisible characters are spelled out and line breaks stay', () => {
  assert.equal(spellInvisible('a\u202eb\u0007\r\n\tc'), 'a‹U+202E›b‹U+0007›\r\n\tc')
})
