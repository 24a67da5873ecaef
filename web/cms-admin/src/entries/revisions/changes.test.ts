import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldList } from '@stoa/cms-model/fields/field.ts'
import { pendingChanges, rowChanges, summaryOf } from './changes.ts'
import { changedWords, reasonOf, sidesOf } from './history-words.ts'

const fields = fieldList.parse([
  { key: 'heroTitle', type: 'text' },
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number' },
])

describe('what publishing would change', () => {
  const live = { title: 'A', slug: 'a', data: { price: 1 }, version: 3, updatedAt: '2026-01-01T00:00:00.000Z' }

  test('is what differs from what is live', () => {
    const changes = pendingChanges(fields, { title: 'B', slug: 'a', data: { price: 1, heroTitle: 'Hi' }, live })
    assert.deepEqual(
      changes.map(({ path, op, before, after }) => [path, op, before, after]),
      [
        ['title', 'change', 'A', 'B'],
        ['data.heroTitle', 'add', '', 'Hi'],
      ],
    )
  })

  test('is nothing for an entry that is not live', () => {
    assert.deepEqual(pendingChanges(fields, { title: 'B', slug: 'a', data: {}, live: null }), [])
  })
})

describe('a row of a list', () => {
  test('is compared field by field', () => {
    assert.deepEqual(
      rowChanges(fields, { heroTitle: 'a', price: 1 }, { heroTitle: 'b', body: '', price: 1 }).map(
        ({ path, label, fieldType, op }) => [path, label, fieldType, op],
      ),
      [['data.heroTitle', 'Hero title', 'text', 'change']],
    )
  })

  test('of an unknown list is compared by its members', () => {
    assert.deepEqual(
      rowChanges([], { a: 1, same: true }, { bigName: 'x', same: true }).map(({ label, op }) => [label, op]),
      [
        ['A', 'remove'],
        ['Big name', 'add'],
      ],
    )
    assert.deepEqual(rowChanges(fields, null, 'nothing'), [])
  })

  test('is called by its first words', () => {
    assert.equal(summaryOf(fields, { heroTitle: '', body: '<p>Some <em>text</em></p>' }), 'Some text')
    assert.equal(summaryOf([], { n: 1, name: 'x'.repeat(100) }).length, 81)
    assert.equal(summaryOf(fields, {}), '')
  })
})

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
