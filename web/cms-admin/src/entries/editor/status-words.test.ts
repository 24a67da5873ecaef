import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { entryWith } from '../session/testing/entries.ts'
import { statusWords } from './status-words.ts'

const AT = '2030-07-01T07:00:00.000Z'
const wordsOf = (members: Partial<Entry>, changes = 0) => {
  const { title, detail, next } = statusWords(entryWith(members), changes, (at) => (at === AT ? '1 July' : at))
  return [title, detail, next]
}

describe('the status of an entry', () => {
  test('of a draft leads to Publish', () => {
    assert.deepEqual(wordsOf({}), ['Draft', undefined, 'publish'])
    assert.equal(statusWords(null, 0, String).detail, 'Not saved yet')
  })

  test('of a live entry counts what is not live yet, and has nothing to do without it', () => {
    const live: Partial<Entry> = { status: 'published' }
    assert.deepEqual(wordsOf(live), ['Live', undefined, null])
    assert.deepEqual(wordsOf(live, 1), ['Live, 1 unpublished change', undefined, 'publish'])
    assert.deepEqual(wordsOf({ ...live, pending: true }, 2), ['Live, 2 unpublished changes', undefined, 'publish'])
    assert.deepEqual(wordsOf({ ...live, pending: true }), ['Live, 1 unpublished change', undefined, 'publish'])
  })

  test('of a schedule says the time, and leads to another one', () => {
    assert.deepEqual(wordsOf({ publishAt: AT }), ['Scheduled for 1 July', undefined, 'reschedule'])
    assert.deepEqual(wordsOf({ status: 'published', publishAt: AT, pending: true }, 1), [
      'Live, changes scheduled for 1 July',
      undefined,
      'reschedule',
    ])
    assert.deepEqual(wordsOf({ status: 'published', unpublishAt: AT }), ['Live', 'Will be unpublished 1 July', null])
  })

  test('in the trash offers nothing', () => {
    assert.deepEqual(wordsOf({ deletedAt: AT }), ['In the trash', undefined, null])
  })
})
