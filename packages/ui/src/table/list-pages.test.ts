import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pagesOf, turnIn } from './list-pages.ts'

describe('the pages of a list', () => {
  const pages = { pages: 3, size: 25, total: 60 }

  test('number the rows that are shown, and end where the list does', () => {
    const turned: number[] = []
    const first = pagesOf({ ...pages, page: 1, shown: 25 }, (page) => turned.push(page))
    assert.deepEqual([first.from, first.to, first.total, first.onPrevious], [1, 25, 60, undefined])
    first.onNext?.()
    const last = pagesOf({ ...pages, page: 3, shown: 10 }, (page) => turned.push(page))
    assert.deepEqual([last.from, last.to, last.onNext], [51, 60, undefined])
    last.onPrevious?.()
    assert.deepEqual(turned, [2, 2])
  })

  test('the first one is not in the address', () => {
    const set: Record<string, string>[] = []
    const turn = turnIn({ get: () => '', set: (changes) => set.push(changes) })
    turn(2)
    turn(1)
    assert.deepEqual(set, [{ page: '2' }, { page: '' }])
  })
})
