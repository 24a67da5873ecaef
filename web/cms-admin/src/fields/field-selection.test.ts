import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { joinLines, partOf } from './field-selection.ts'

describe('a selected part of plain text', () => {
  test('is replaced where it is', () => {
    const part = partOf('By the sea', 3, 6)
    assert.equal(part?.content, 'the')
    assert.equal(part.replaced('a wide'), 'By a wide sea')
  })

  test('is followed by what is inserted below, with an empty line on both sides', () => {
    assert.equal(partOf('One\nTwo', 0, 3)?.followedBy('New'), 'One\n\nNew\n\nTwo')
    assert.equal(partOf('One', 0, 3)?.followedBy('New'), 'One\n\nNew')
  })

  test('is none without letters', () => {
    assert.equal(partOf('One', 1, 1), null)
    assert.equal(partOf('One  two', 3, 5), null)
    assert.equal(partOf('One', null, null), null)
  })

  test('an empty text has nothing above', () => assert.equal(joinLines(' ', 'New'), 'New'))
})
