import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentFields } from './field.ts'
import { keepUnseen } from './unseen.ts'

const fields = contentFields.parse([
  {
    key: 'rows',
    type: 'list',
    fields: [
      { key: 'name', type: 'text' },
      { key: 'count', type: 'number' },
      { key: 'inner', type: 'list', fields: [{ key: 'word', type: 'text' }] },
    ],
  },
])
const row = (name: string, more: object = {}) => ({ name, count: null, inner: [], ...more })
const kept = (stored: object[], sent: object[]) => keepUnseen(fields, { rows: stored }, { rows: sent }).rows

describe('an item of a list that is sent back keeps the values of a removed field', () => {
  const stored = [row('a', { gone: 1 }), row('b', { gone: 2 }), row('c', { gone: 3 })]

  test('in its place, and when items are moved, added or removed', () => {
    assert.deepEqual(kept(stored, [row('a'), row('b'), row('c')]), stored)
    assert.deepEqual(kept(stored, [row('c'), row('a')]), [stored[2], stored[0]])
    assert.deepEqual(kept(stored, [row('new'), row('a'), row('b'), row('c')]), [row('new'), ...stored])
  })

  test('when it was edited: by what it has in common, else by its place', () => {
    const edited = row('b', { count: 5 })
    assert.deepEqual(kept(stored, [row('c'), edited]), [stored[2], { ...edited, gone: 2 }])
    assert.deepEqual(kept(stored, [row('a'), row('other'), row('c')]), [
      stored[0],
      row('other', { gone: 2 }),
      stored[2],
    ])
  })

  test('also in lists inside of lists', () => {
    const deep = [
      row('a', {
        inner: [
          { word: 'x', gone: 1 },
          { word: 'y', gone: 2 },
        ],
      }),
    ]
    assert.deepEqual(kept(deep, [row('a', { inner: [{ word: 'y' }, { word: 'x' }] })]), [
      row('a', {
        inner: [
          { word: 'y', gone: 2 },
          { word: 'x', gone: 1 },
        ],
      }),
    ])
  })

  test('and nothing is invented for new items, or taken for two', () => {
    assert.deepEqual(kept([row('a', { gone: 1 })], [row('a'), row('a')]), [row('a', { gone: 1 }), row('a')])
    assert.deepEqual(kept([], [row('a')]), [row('a')])
  })
})

test('a value in a list that does not fit its field any more stays while it is sent back as the empty value', () => {
  const stored = [row('a', { count: 'many' })]
  assert.deepEqual(kept(stored, [row('a')]), stored)
  assert.deepEqual(kept(stored, [row('a', { count: 5 })]), [row('a', { count: 5 })])
})

test('anything may be stored or sent', () => {
  assert.deepEqual(keepUnseen(fields, { rows: 'x' }, { rows: [row('a')] }), { rows: [row('a')] })
  assert.deepEqual(keepUnseen(fields, { rows: [row('a', { gone: 1 })] }, { rows: null }), { rows: null })
  assert.deepEqual(keepUnseen(fields, { rows: [null, 5, row('a', { gone: 1 })] }, { rows: ['x', row('a')] }), {
    rows: ['x', row('a', { gone: 1 })],
  })
})

test('a thousand items are matched without comparing each with each', () => {
  const stored = Array.from({ length: 1_000 }, (_, index) => row(`n${index}`, { gone: index }))
  const sent = stored.map(({ name }) => row(`${name}!`))
  assert.deepEqual(
    kept(stored, sent),
    sent.map((item, index) => ({ ...item, gone: index })),
  )
})
