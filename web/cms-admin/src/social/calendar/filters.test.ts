import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matches } from './filters.ts'

const none = { network: '', account: '', status: '', author: '' }
const items = [
  { id: 'a', status: 'scheduled', networks: ['x', 'facebook'], accountIds: ['x-1', 'f-1'], authorId: 'ada' },
  { id: 'b', status: 'posted', networks: ['x'], accountIds: ['x-1'], authorId: 'bob' },
  { id: 'c', status: 'failed', networks: ['threads'], accountIds: ['t-1'], authorId: null },
] as const
const found = (filter: Partial<typeof none>) =>
  items.filter((item) => matches(item, { ...none, ...filter })).map(({ id }) => id)

describe('filters of the calendar', () => {
  test('without any, everything is shown', () => {
    assert.deepEqual(found({}), ['a', 'b', 'c'])
  })

  test('narrow by network, account, status and author, together', () => {
    assert.deepEqual(found({ network: 'x' }), ['a', 'b'])
    assert.deepEqual(found({ status: 'failed' }), ['c'])
    assert.deepEqual(found({ account: 'x-1', author: 'bob' }), ['b'])
    assert.deepEqual(found({ network: 'facebook', author: 'bob' }), [])
  })
})
