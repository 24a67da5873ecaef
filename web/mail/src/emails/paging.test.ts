import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { turnsOf } from './paging.ts'

const at = { ids: ['9', '8'], page: 3, after: '', before: '' }

describe('the pages beside one', () => {
  test('are none for a list that fits', () => {
    assert.deepEqual(turnsOf({ ...at, page: 1, hasMore: false }), { previous: undefined, next: undefined })
    assert.deepEqual(turnsOf({ ...at, ids: [], page: 1, hasMore: false }), { previous: undefined, next: undefined })
  })

  test('lie behind the last row and before the first', () => {
    assert.deepEqual(turnsOf({ ...at, page: 1, hasMore: true }).next, { after: '8', before: '' })
    const middle = turnsOf({ ...at, after: '12', hasMore: true })
    assert.deepEqual(middle, { previous: { after: '', before: '9' }, next: { after: '8', before: '' } })
    assert.equal(turnsOf({ ...at, after: '12', hasMore: false }).next, undefined)
  })

  test('read upwards, go on downwards in any case', () => {
    assert.deepEqual(turnsOf({ ...at, before: '7', hasMore: false }).next, { after: '8', before: '' })
    assert.equal(turnsOf({ ...at, page: 1, before: '7', hasMore: false }).previous, undefined)
  })

  test('lead to the top and not to a page that is half empty', () => {
    assert.deepEqual(turnsOf({ ...at, page: 2, after: '12', hasMore: true }).previous, { after: '', before: '' })
  })
})
