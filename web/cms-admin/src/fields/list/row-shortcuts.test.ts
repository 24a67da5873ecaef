import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyActOf } from './row-shortcuts.ts'

const press = (key: string, held: Partial<Record<'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey', boolean>> = {}) => ({
  key,
  altKey: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...held,
})

test('Alt with an arrow moves a row, unless the input has its own use for it', () => {
  assert.equal(keyActOf(press('ArrowUp', { altKey: true }), false), 'up')
  assert.equal(keyActOf(press('ArrowDown', { altKey: true }), false), 'down')
  assert.equal(keyActOf(press('ArrowDown', { altKey: true }), true), undefined)
  assert.equal(keyActOf(press('ArrowDown'), false), undefined)
  assert.equal(keyActOf(press('ArrowUp', { altKey: true, shiftKey: true }), false), undefined)
  assert.equal(keyActOf(press('ArrowUp', { altKey: true, ctrlKey: true }), false), undefined)
})

test('Enter adds a row only with Control or Command', () => {
  assert.equal(keyActOf(press('Enter'), false), undefined)
  assert.equal(keyActOf(press('Enter', { ctrlKey: true }), true), 'add')
  assert.equal(keyActOf(press('Enter', { metaKey: true }), false), 'add')
})
