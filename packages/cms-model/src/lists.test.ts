import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { givenIds, listQuery, searchText, sortBy, toList } from './lists.ts'

const query = listQuery({ sort: sortBy(['name', 'createdAt'], '-createdAt'), q: searchText.optional() })

const keysOf = (given: Record<string, unknown>): string[] =>
  query.safeParse(given).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('a list query', () => {
  test('has page 1, limit 25 and the default order', () => {
    assert.deepEqual(query.parse({}), { page: 1, limit: 25, sort: [{ key: 'createdAt', descending: true }] })
  })

  test('clamps a larger limit to 100', () => {
    assert.equal(query.parse({ limit: '101' }).limit, 100)
    assert.equal(query.parse({ limit: '9'.repeat(40) }).limit, 100)
  })

  for (const wrong of ['0', '-1', '1.5', '1e3', '+1', ' 1', '', 'ten', '0x10', '٣'])
    test(`refuses "${wrong.slice(0, 10)}" as limit and as page, naming the key`, () => {
      assert.deepEqual(keysOf({ limit: wrong }), ['limit'])
      assert.deepEqual(keysOf({ page: wrong }), ['page'])
    })

  test('refuses a page too deep to be read', () => {
    assert.deepEqual(keysOf({ page: '10001', limit: '100' }), [])
    assert.deepEqual(keysOf({ page: '10002', limit: '100' }), ['page'])
    assert.deepEqual(keysOf({ page: '9'.repeat(40) }), ['page'])
  })

  test('refuses a name that is not known and a name given twice', () => {
    assert.equal(query.safeParse({ limt: '5' }).success, false)
    assert.deepEqual(keysOf({ page: ['1', '2'] }), ['page'])
  })

  test('sorts by several keys, downwards with a minus or :desc', () => {
    const expected = [
      { key: 'name', descending: true },
      { key: 'createdAt', descending: false },
    ]
    assert.deepEqual(query.parse({ sort: '-name,createdAt' }).sort, expected)
    assert.deepEqual(query.parse({ sort: 'name:desc,createdAt:asc' }).sort, expected)
  })

  for (const wrong of ['', 'passwordHash', 'name,', 'name;drop', '-name:desc', 'name,name', 'constructor', '__proto__'])
    test(`refuses "${wrong}" as order, naming the key`, () => assert.deepEqual(keysOf({ sort: wrong }), ['sort']))
})

test('the envelope counts pages', () => {
  assert.deepEqual(toList([], 0, { page: 1, limit: 25 }).meta, { total: 0, page: 1, limit: 25, pages: 0 })
  assert.equal(toList([], 51, { page: 9, limit: 25 }).meta.pages, 3)
})

describe('given ids', () => {
  const id = (index: number) => `0199a000-0000-7000-8000-${String(index).padStart(12, '0')}`

  test('are separated by commas, each once, in small letters', () => {
    assert.deepEqual(givenIds.parse(`${id(1)}, ${id(2)},${id(1)}`), [id(1), id(2)])
    assert.deepEqual(givenIds.parse(id(1).toUpperCase()), [id(1)])
  })

  test('are 100 at most, and nothing but ids', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => id(index)).join(',')
    assert.equal(givenIds.parse(many(100)).length, 100)
    for (const wrong of [many(101), '', ',', `${id(1)},`, 'x', `${id(1)};${id(2)}`])
      assert.equal(givenIds.safeParse(wrong).success, false, wrong.slice(0, 50))
  })
})
