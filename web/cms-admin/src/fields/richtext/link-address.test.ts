import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completeHref, entryHref } from './link-address.ts'

const entry = {
  id: '0190a0a0-0000-7000-8000-0000000000aa',
  type: 'post',
  slug: 'a-day-out',
  title: 'A day out',
  status: 'published',
  locale: 'en',
  updatedAt: '2026-03-01T12:00:00.000Z',
} as const

describe('the address of a link', () => {
  test('is completed from what people type', () => {
    assert.equal(completeHref('example.com/a b'), null)
    assert.equal(completeHref(' example.com/a?b=1 '), 'https://example.com/a?b=1')
    assert.equal(completeHref('ada@example.com'), 'mailto:ada@example.com')
    assert.equal(completeHref('+44 20 7946 0018'), 'tel:+442079460018')
    assert.equal(completeHref('/about#team'), '/about#team')
    assert.equal(completeHref('//cdn.example'), 'https://cdn.example')
  })

  test('is refused where it could do something', () => {
    assert.equal(completeHref('javascript:alert(1)'), null)
    assert.equal(completeHref('data:text/html,x'), null)
    assert.equal(completeHref('just words'), null)
    assert.equal(completeHref(''), null)
  })

  test('of an entry follows the template of its type', () => {
    assert.equal(entryHref(entry, '/:locale/blog/:slug'), '/en/blog/a-day-out')
    assert.equal(entryHref(entry, 'https://www.example.com/{slug}'), 'https://www.example.com/a-day-out')
    assert.equal(entryHref(entry, null), '/a-day-out')
  })
})
