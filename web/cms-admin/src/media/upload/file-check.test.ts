import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeAccept, inputAccept, matchesAccept, problemOfFile } from './file-check.ts'

const file = (name: string, { size = 10, type = '' } = {}) => ({ name, size, type })

describe('a file before it is sent', () => {
  test('is known by its type, or by its ending where the browser knows none', () => {
    for (const good of [file('a.JPG'), file('b', { type: 'image/png' }), file('c.mov'), file('d.pdf')])
      assert.equal(problemOfFile(good, { maxBytes: 100 }), undefined)
    for (const bad of [file('a.heic'), file('b'), file('c.exe'), file('png')])
      assert.match(problemOfFile(bad, { maxBytes: 100 }) ?? '', /not supported\. Use jpg, png/)
  })

  test('is refused when it is empty or too large, with both sizes', () => {
    assert.equal(problemOfFile(file('a.png', { size: 100 }), { maxBytes: 100 }), undefined)
    assert.match(problemOfFile(file('a.png', { size: 2500 }), { maxBytes: 2000 }) ?? '', /2\.5 kB\. The limit is 2 kB/)
    assert.match(problemOfFile(file('a.png', { size: 0 }), { maxBytes: 100 }) ?? '', /empty/)
    assert.equal(problemOfFile(file('a.png', { size: 1e9 }), { maxBytes: undefined }), undefined)
  })

  test('is refused where another kind is wanted', () => {
    const accept = ['image/*']
    assert.equal(problemOfFile(file('a.png'), { maxBytes: 100, accept }), undefined)
    assert.equal(problemOfFile(file('a.mp3'), { maxBytes: 100, accept }), 'Only images can be used here.')
  })
})

describe('wanted kinds', () => {
  test('are beginnings of types, with or without a star', () => {
    assert.equal(matchesAccept('image/png', ['image/*']), true)
    assert.equal(matchesAccept('image/png', ['image/']), true)
    assert.equal(matchesAccept('image/png', ['video/', 'image/png']), true)
    assert.equal(matchesAccept('image/png', ['video/']), false)
    assert.equal(matchesAccept('image/png', ['*/*']), true)
    assert.equal(matchesAccept('image/png', []), true)
    assert.equal(matchesAccept('image/png', undefined), true)
  })

  test('have words and endings', () => {
    assert.equal(describeAccept(['image/*', 'video/', 'application/pdf']), 'images, videos, or PDF documents')
    assert.equal(inputAccept(['application/pdf']), 'application/pdf,.pdf')
    assert.match(inputAccept(undefined), /image\/jpeg,\.jpg,\.jpeg,.*\.pdf$/)
  })
})
