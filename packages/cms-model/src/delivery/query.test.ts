import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fieldList } from '../fields/field.ts'
import type { Known } from './operands.ts'
import { readEntryQuery, readListQuery, readNoQuery } from './query.ts'

const fields = fieldList.parse([
  { key: 'price', type: 'number' },
  { key: 'name', type: 'text' },
  { key: 'or', type: 'text' },
  { key: 'secret', type: 'text', hidden: true },
  { key: 'body', type: 'richtext' },
  { key: 'day', type: 'date' },
])
const known: Known = { fields, fieldsOf: () => null, seen: 'visible' }
const read = (search: string) => readListQuery(new URLSearchParams(search), known)
const accepted = (search: string) => read(search).query ?? assert.fail(JSON.stringify(read(search).problems))
const refused = (search: string) => read(search).problems.map(({ key }) => key)

describe('the query of a list', () => {
  test('without parameters asks for the first 25, the newest first, references one level deep', () => {
    const { sort, ...rest } = accepted('')
    assert.deepEqual(rest, {
      include: { terms: false, author: false, translations: false },
      selection: null,
      depth: 1,
      page: 1,
      limit: 25,
      terms: null,
      locale: null,
      q: null,
      filter: { all: [], any: [] },
    })
    assert.deepEqual(
      sort.map(({ key, descending }) => [key, descending]),
      [['publishedAt', true]],
    )
  })

  test('a field may be called like a part of the grammar', () => {
    assert.equal(accepted('filter[or][eq]=x').filter.all.length, 1)
    assert.equal(accepted('filter[or][0][or][eq]=x').filter.any.length, 1)
  })

  test('values have the type of their field', () => {
    const values = (search: string) => accepted(search).filter.all.flatMap(({ values }) => [...values])
    assert.deepEqual(values('filter[price][in]=1,-2.5,1e3'), [1, -2.5, 1000])
    assert.deepEqual(values('filter[name][eq]=1'), ['1'])
    assert.deepEqual(values('filter[createdAt][gt]=2026-03-01'), ['2026-03-01T00:00:00.000Z'])
    assert.deepEqual(values('filter[createdAt][gt]=2026-03-01T00:00:00+01:00'), ['2026-02-28T23:00:00.000Z'])
    for (const wrong of ['', ' 1', '0x1', 'Infinity', 'NaN', '1e999', '1,2'])
      assert.deepEqual(refused(`filter[price][eq]=${wrong}`), ['filter[price][eq]'])
  })

  test('refuses hidden, unordered and unknown keys alike', () => {
    for (const key of ['secret', 'body', 'nope', 'data.secret', '__proto__', 'constructor', 'data.__proto__']) {
      assert.deepEqual(refused(`sort=${key}`), ['sort'])
      assert.deepEqual(refused(`filter[${key}][eq]=1`), [`filter[${key}][eq]`])
    }
    assert.deepEqual(refused('sort=title,-title'), ['sort'])
    assert.deepEqual(refused('sort=price,data.price'), ['sort'])
    assert.deepEqual(refused('sort=-price:desc'), ['sort'])
    assert.deepEqual(refused(`sort=${Array(6).fill('price').join()}`), ['sort'])
    assert.deepEqual(refused('sort='), ['sort'])
  })

  test('is bounded', () => {
    assert.deepEqual(refused(Array.from({ length: 60 }, (_, at) => `x${at}=1`).join('&')).at(-1), 'query')
    assert.deepEqual(refused(`filter[price][in]=${Array(101).fill(1).join()}`), ['filter[price][in]'])
    assert.deepEqual(refused(`term=${Array(21).fill('a').join()}`), ['term'])
    assert.deepEqual(refused(`fields=${Array(101).fill('title').join()}`), ['fields'])
    assert.ok(refused(`${'x'.repeat(9000)}=1`)[0]?.length === 200)
  })

  test('never throws, and either refuses by name or gives a query', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'filter',
        '[or]',
        '[0]',
        '[price]',
        '[eq]',
        '[in]',
        'sort',
        'term',
        'page',
        'limit',
        'fields',
        'depth',
        '=',
        '&',
        ',',
        '-',
        ':',
        'data.',
        'price',
        '1',
        '%00',
        '+',
        '[',
        ']',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const search = new URLSearchParams(parts.join(''))
        const [list, entry] = [readListQuery(search, known), readEntryQuery(search, fields)]
        for (const { query, problems } of [list, entry]) assert.equal(query === null, problems.length > 0)
        if (list.query) assert.ok(list.query.limit <= 100 && (list.query.page - 1) * list.query.limit <= 1_000_000)
        assert.ok(Array.isArray(readNoQuery(search)))
      }),
      { numRuns: 3000, seed: 20260301 },
    )
  })
})
