import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldList } from '@stoa/cms-model/fields/field.ts'
import { DEFAULT_SORT, fromSort, isNarrowed, NO_FILTER, readQuery, requestOf, searchOf, toSort } from './filter.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const read = (search: string) => {
  const params = new URLSearchParams(search)
  return readQuery((name) => params.get(name) ?? '')
}

describe('the filter of a list in the address', () => {
  test('an empty address asks for everything, the latest change first', () => {
    assert.deepEqual(read(''), { ...NO_FILTER, sort: DEFAULT_SORT, page: 1, limit: 25 })
    assert.equal(isNarrowed(read('')), false)
  })

  test('what the service would refuse is left out', () => {
    const asked = read('status=gone&author=somebody&sort=data.price&page=-3&limit=1000')
    assert.deepEqual(asked, { ...NO_FILTER, sort: DEFAULT_SORT, page: 1, limit: 25 })
  })

  test('becomes the request of the type', () => {
    const asked = read(`q=sea&status=pending&term=topics:sea&author=${ID}&locale=de&sort=-title&page=3&limit=100`)
    assert.deepEqual(requestOf('article', asked), {
      type: 'article',
      q: 'sea',
      status: 'pending',
      term: 'topics:sea',
      author: ID,
      locale: 'de',
      sort: '-title',
      page: 3,
      limit: 100,
    })
    assert.equal('status' in requestOf('article', read('')), false)
  })

  test('is written the same way whatever the order, without page and size', () => {
    assert.equal(searchOf(read('locale=de&q=a%26b&page=2&limit=50')), 'q=a%26b&locale=de')
    assert.equal(searchOf(read(`sort=${DEFAULT_SORT}`)), '')
    assert.equal(searchOf(read('sort=title')), 'sort=title')
  })

  test('holds conditions and an order by fields of the type, as far as it has them', () => {
    const fields = fieldList.parse([
      { key: 'price', type: 'number' },
      { key: 'body', type: 'richtext' },
    ])
    const at = (search: string, known: typeof fields | null = fields) => {
      const params = new URLSearchParams(search)
      return readQuery((name) => params.get(name) ?? '', known)
    }
    const asked = at('where=price:gte:10;gone:eq:1&sort=-data.price')
    assert.deepEqual([asked.where, asked.sort, isNarrowed(asked)], ['price:gte:10', '-data.price', true])
    assert.deepEqual(requestOf('article', asked).own, { 'filter[price][gte]': '10' })
    assert.equal(at('sort=data.body').sort, DEFAULT_SORT)
    assert.equal(at('sort=data.gone').sort, DEFAULT_SORT)
    assert.equal(searchOf(at('where=gone:eq:1&sort=data.gone', null)), 'where=gone%3Aeq%3A1&sort=data.gone')
    assert.equal(searchOf({ ...at(''), columns: 'status,data.price' }), 'columns=status%2Cdata.price')
  })

  test('a sort goes there and back; the usual one is not written', () => {
    assert.deepEqual(toSort('-createdAt'), { by: 'createdAt', direction: 'desc' })
    assert.equal(toSort('author'), undefined)
    assert.equal(fromSort({ by: 'title', direction: 'asc' }), 'title')
    assert.equal(fromSort({ by: 'updatedAt', direction: 'desc' }), '')
  })
})
