import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isCommonPassword } from './common-passwords.ts'

const lines = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split('\n')

test('the list has over 3000 entries, each long enough to matter, lower case and once', () => {
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#'))
  assert.ok(entries.length > 3000)
  assert.equal(new Set(entries).size, entries.length)
  for (const entry of entries) {
    assert.ok(Buffer.byteLength(entry) >= 8, entry)
    assert.equal(entry, entry.toLowerCase().normalize('NFC').trim())
    assert.ok(isCommonPassword(entry.toUpperCase()), entry)
  }
})

test('comments and empty lines of the list are no passwords', () => {
  assert.equal(isCommonPassword(''), false)
  for (const comment of lines.filter((line) => line.startsWith('#'))) assert.equal(isCommonPassword(comment), false)
})
