import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countNote } from './count-note.ts'

test('the length is counted near its bounds only', () => {
  assert.equal(countNote(10, undefined, undefined), undefined)
  assert.equal(countNote(79, undefined, 100), undefined)
  assert.deepEqual(countNote(80, undefined, 100), { text: '80 / 100', isOver: false })
  assert.deepEqual(countNote(101, undefined, 100), { text: '101 / 100', isOver: true })
  assert.deepEqual(countNote(3, 10, 100), { text: '3 of 10 or more', isOver: false })
  assert.equal(countNote(0, 10, 100), undefined)
})
