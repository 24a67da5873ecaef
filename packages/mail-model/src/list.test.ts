import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listQuery, toList } from './list.ts'

const query = listQuery({ sort: ['created_at', 'name'], direction: 'desc' })

describe('the query of a list', () => {
  test('has defaults for everything', () => {
    assert.deepEqual(query.parse({}), { page: 1, per_page: 10, sort: 'created_at', direction: 'desc' })
  })

  test('takes what is on its lists', () => {
    assert.deepEqual(query.parse({ page: '7', per_page: '50', sort: 'name', direction: 'asc', search: ' Ann ' }), {
      page: 7,
      per_page: 50,
      sort: 'name',
      direction: 'asc',
      search: 'Ann',
    })
  })

  for (const page of [
    '0',
    '-1',
    '1.5',
    '1e3',
    'x',
    '',
    ' 2',
    '0x10',
    'NaN',
    'Infinity',
    '9'.repeat(16),
    '9'.repeat(400),
  ])
    test(`page ${page.slice(0, 20)} falls back to 1`, () => assert.equal(query.parse({ page }).page, 1))

  test('the largest page that is a whole number is kept', () => {
    assert.equal(query.parse({ page: '9007199254740991' }).page, Number.MAX_SAFE_INTEGER)
  })

  for (const per_page of ['0', '-10', '11', '1000000000', '10.0', '', 'all'])
    test(`per_page ${per_page} falls back to 10`, () => assert.equal(query.parse({ per_page }).per_page, 10))

  for (const value of ['id; drop table account', 'password_hash', 'NAME', '', 'constructor', '__proto__'])
    test(`sort and direction ${value} are ignored`, () => {
      const { sort, direction } = query.parse({ sort: value, direction: value })
      assert.deepEqual({ sort, direction }, { sort: 'created_at', direction: 'desc' })
    })

  test('a parameter that is given twice falls back too', () => {
    const given = { page: ['2', '3'], per_page: ['25', '50'], sort: ['name', 'name'], direction: ['asc', 'asc'] }
    assert.deepEqual(query.parse(given), { page: 1, per_page: 10, sort: 'created_at', direction: 'desc' })
  })

  test('a search is 200 characters of storable text, given once', () => {
    assert.equal(query.parse({ search: `  ${'x'.repeat(200)}  ` }).search?.length, 200)
    for (const search of ['x'.repeat(201), 'a\u0000b', '\ud800', ['a', 'b']])
      assert.equal(query.safeParse({ search }).success, false)
  })
})

describe('the envelope of a list', () => {
  const request = query.parse({ per_page: '25' })
  for (const [total, pages] of [
    [0, 1],
    [1, 1],
    [25, 1],
    [26, 2],
    [1000, 40],
  ] as const)
    test(`${total} items of 25 a page are ${pages} pages`, () => assert.equal(toList(request, total, []).pages, pages))
})
