import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isCurrent } from '../navigation/navigation.ts'
import { listState } from './list-state.ts'
import { between } from './selection.ts'

const order = ['a', 'b', 'c', 'd']

describe('lists', () => {
  test('Shift chooses everything between two rows, in both directions', () => {
    assert.deepEqual(between(order, 'b', 'd'), ['b', 'c', 'd'])
    assert.deepEqual(between(order, 'd', 'b'), ['b', 'c', 'd'])
  })

  test('a range whose start is gone is only its end', () => {
    assert.deepEqual(between(order, 'x', 'c'), ['c'])
    assert.deepEqual(between(order, undefined, 'c'), ['c'])
  })

  test('rows that are there stay when a refresh fails', () => {
    const state = listState({ data: ['row'], error: new Error('away'), refetch: () => undefined }, String)
    assert.deepEqual(state, { status: 'ready', rows: ['row'] })
  })

  test('a list that never came offers to try again', () => {
    let tries = 0
    const state = listState({ data: undefined, error: 'away', refetch: () => (tries += 1) }, String)
    assert.equal(state.status, 'error')
    if (state.status === 'error') state.onRetry()
    assert.equal(tries, 1)
  })
})

describe('navigation', () => {
  test('a screen below an entry marks the entry, a neighbour with the same start does not', () => {
    assert.equal(isCurrent('/entries/42', '/entries'), true)
    assert.equal(isCurrent('/entries-old', '/entries'), false)
    assert.equal(isCurrent('/entries', '/'), false)
    assert.equal(isCurrent('/', '/'), true)
  })
})
