import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_VIEWS, nameProblem, quickViews, readViews, withoutView, withView } from './views.ts'

describe('saved views', () => {
  test('whatever is stored, only views are read, with filters that the list knows', () => {
    assert.deepEqual(readViews(undefined), [])
    assert.deepEqual(readViews('x'), [])
    assert.deepEqual(
      readViews([null, 3, { name: '' }, { name: 'Mine' }, { name: 'Mine', search: 'author=me&page=4&evil=1' }]),
      [{ name: 'Mine', search: 'author=me' }],
    )
    const own = { name: 'Own', search: 'where=price%3Agte%3A10&sort=-data.price&columns=status%2Cdata.price' }
    assert.deepEqual(readViews([own]), [own])
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `v${index}`, search: '' }))
    assert.equal(readViews(many).length, MAX_VIEWS)
  })

  test('a new one goes to the end; one of the same name is replaced in its place', () => {
    const views = [
      { name: 'A', search: 'q=a' },
      { name: 'B', search: 'q=b' },
    ]
    assert.deepEqual(withView(views, { name: ' A ', search: 'q=c' }), [{ name: 'A', search: 'q=c' }, views[1]])
    assert.deepEqual(withView(views, { name: 'C', search: '' }).at(-1), { name: 'C', search: '' })
    assert.deepEqual(withoutView(views, 'A'), [views[1]])
  })

  test('a name must be there, must not be one of the ready views, and there is an end', () => {
    assert.match(nameProblem('  ', []) ?? '', /Enter/)
    assert.match(nameProblem('drafts', []) ?? '', /built-in/)
    const full = Array.from({ length: MAX_VIEWS }, (_, index) => ({ name: `v${index}`, search: '' }))
    assert.match(nameProblem('one more', full) ?? '', /Delete one/)
    assert.equal(nameProblem('v3', full), undefined)
  })

  test('the ready views have addresses of their own', () => {
    assert.equal(new Set(quickViews.map(({ search }) => search)).size, quickViews.length)
    assert.equal(quickViews[0]?.search, '')
  })
})
