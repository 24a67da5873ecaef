import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { candidatesFor, isSamePage } from './page-links.ts'

const BASE = 'https://shop.example'
const types = [
  { name: 'page', previewUrl: '/{slug}' },
  { name: 'landing', previewUrl: '/{slug}' },
  { name: 'book', previewUrl: '/books/{slug}' },
  { name: 'anything', previewUrl: '/{type}/{slug}' },
  { name: 'home', previewUrl: '/' },
  { name: 'author', previewUrl: null },
]
const namesFor = (address: string) => candidatesFor(types, BASE, address).map(({ type }) => type)

describe('the types that a link may lead to', () => {
  test('are those whose template fits closest', () => {
    assert.deepEqual(candidatesFor(types, BASE, `${BASE}/books/fog?a=1#b`), [{ type: 'book', values: { slug: 'fog' } }])
    assert.deepEqual(namesFor(`${BASE}/`), ['home'])
    assert.deepEqual(namesFor(`${BASE}/about`), ['page', 'landing'])
  })

  test('are none for another website, or a type by the name of another', () => {
    assert.deepEqual(namesFor('https://elsewhere.example/books/fog'), [])
    assert.deepEqual(namesFor(`${BASE}/events/tide`), [])
    assert.deepEqual(namesFor('mailto:a@shop.example'), [])
  })
})

test('a link leads to a page with or without its last slash, question and place', () => {
  assert.ok(isSamePage(`${BASE}/books/fog`, `${BASE}/books/fog/?from=home#top`))
  assert.ok(!isSamePage(`${BASE}/books/fog`, `${BASE}/books/fog-2`))
  assert.ok(!isSamePage(`${BASE}/p?id=1`, `${BASE}/p?id=2`))
  assert.ok(!isSamePage(`${BASE}/`, 'javascript:alert(1)'))
})
