import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedStarts, factsOf, keysOfIds, lacksAlt } from './file-notes.ts'

test('a missing alternative text is reported, unless the picture is decorative or the file is no picture', () => {
  assert.equal(lacksAlt({ mimeType: 'image/png', alt: '', decorative: false }), true)
  assert.equal(lacksAlt({ mimeType: 'image/png', alt: '', decorative: true }), false)
  assert.equal(lacksAlt({ mimeType: 'image/png', alt: 'A boat', decorative: false }), false)
  assert.equal(lacksAlt({ mimeType: 'application/pdf', alt: '', decorative: false }), false)
})

test('the size of a file is given in pixels where it has some', () => {
  assert.equal(factsOf({ width: 1200, height: 800, size: 64_000 }), '1200 × 800, 64 kB')
  assert.equal(factsOf({ width: null, height: null, size: 12 }), '12 B')
})

test('a file that comes twice has two keys', () => {
  assert.deepEqual(keysOfIds(['a', 'b', 'a']), ['a 1', 'b 1', 'a 2'])
})

test('kinds become the beginnings of types', () => {
  assert.deepEqual(acceptedStarts(['image/*', 'application/pdf']), ['image/', 'application/pdf'])
})
