import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CalendarItem } from '../wire.ts'
import { filteredItems, needsOwners } from './filters.ts'

const none = { network: '', account: '', status: '', author: '' }
const item = (postId: string, status: CalendarItem['status'], ...networks: string[]): CalendarItem => ({
  postId,
  at: '2026-03-01T12:00:00Z',
  status,
  caption: '',
  networks,
})
const items = [item('a', 'scheduled', 'x', 'facebook'), item('b', 'posted', 'x'), item('c', 'failed', 'threads')]
const owners = new Map([
  ['a', { authorId: 'ada', accountIds: ['x-1', 'f-1'] }],
  ['b', { authorId: 'bob', accountIds: ['x-1'] }],
])
const found = (filter: Partial<typeof none>) =>
  filteredItems(items, { ...none, ...filter }, owners).map(({ postId }) => postId)

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

  test('posts are only read for what the calendar does not say', () => {
    assert.deepEqual([needsOwners({ ...none, network: 'x' }), needsOwners({ ...none, author: 'me' })], [false, true])
  })
})
