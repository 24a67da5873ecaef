import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldList } from '@stoa/cms-model/fields/field.ts'
import { changedWords, reasonOf, sidesOf } from './history-words.ts'

const fields = fieldList.parse([{ key: 'heroTitle', type: 'text' }])

describe('a revision in words', () => {
  test('says why it is there', () => {
    const word = (
      reason: 'save' | 'publish' | 'restore' | 'schedule',
      autosave = false,
      status: 'draft' | 'published' = 'draft',
    ) => reasonOf({ reason, autosave, status }).word
    assert.deepEqual(
      [word('save'), word('save', true), word('save', false, 'published'), word('publish'), word('restore')],
      ['Saved', 'Autosaved', 'Saved live', 'Published', 'Restored'],
    )
    assert.deepEqual([word('schedule'), word('schedule', false, 'published')], ['Scheduled', 'Published on schedule'])
  })

  test('names what it changed', () => {
    assert.equal(
      changedWords(['title', 'data.heroTitle', 'data.gone', 'terms', 'data.__layout'], fields),
      'Title, Hero title, gone and 2 more',
    )
    assert.equal(changedWords([], fields), 'No changes')
  })

  test('is compared with the older one first', () => {
    const [one, two] = [
      { id: 'a', version: 1 },
      { id: 'b', version: 2 },
    ]
    assert.deepEqual(sidesOf(one, undefined), { revision: 'a', against: 'current' })
    assert.deepEqual(
      [sidesOf(one, two), sidesOf(two, one)],
      [
        { revision: 'a', against: 'b' },
        { revision: 'a', against: 'b' },
      ],
    )
  })
})
