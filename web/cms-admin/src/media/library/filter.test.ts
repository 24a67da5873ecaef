import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayOf, filterOf, isNarrowed } from './filter.ts'

const read = (search: Record<string, string>) => (name: string) => search[name] ?? ''
const of = (search: Record<string, string>) => filterOf(read(search), '2026-03-02')

describe('the list that an address asks for', () => {
  test('is everything, the newest first, when it says nothing', () => {
    const { page, sort, folder, q, missingAlt, unused, from, to } = of({})
    assert.deepEqual(
      [page, sort, folder, q, missingAlt, unused, from, to],
      [1, '-createdAt', '', '', false, false, '', ''],
    )
    assert.equal(isNarrowed(read({ folder: 'press', page: '2', sort: 'size' })), false)
  })

  test('is narrowed by what it names', () => {
    const filter = of({ q: 'boat', show: 'alt', by: 'x', type: 'image', page: '3' })
    assert.deepEqual(
      [filter.q, filter.missingAlt, filter.unused, filter.createdBy, filter.type, filter.page],
      ['boat', true, false, 'x', 'image', 3],
    )
    assert.equal(of({ show: 'unused' }).unused, true)
    assert.equal(isNarrowed(read({ show: 'alt' })), true)
  })

  test('reaches back whole days, also over the end of a month', () => {
    assert.equal(of({ when: 'today' }).from, '2026-03-02')
    assert.equal(of({ when: 'week' }).from, '2026-02-24')
    assert.equal(of({ when: 'month' }).from, '2026-02-01')
    assert.equal(of({ when: 'toString' }).from, '')
  })

  test('takes days between, and only real ones', () => {
    const { from, to } = of({ when: 'between', from: '2026-01-31', to: '2026-02-31x' })
    assert.deepEqual([from, to], ['2026-01-31', ''])
    assert.equal(of({ from: '2026-01-31' }).from, '')
  })

  test('a strange page is the first', () => {
    for (const page of ['0', '-4', 'x', '1.7']) assert.equal(of({ page }).page, 1)
  })

  test('days are written as date inputs write them', () => {
    assert.equal(dayOf(new Date(2026, 0, 5, 23, 59)), '2026-01-05')
  })
})
