import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyActionOf } from './row-shortcuts.ts'

const press = (key: string, held: Partial<Record<'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey', boolean>> = {}) => ({
  key,
  altKey: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...held,
})

test('Alt with an arrow moves a row, unless the input has its own use for it', () => {
  assert.equal(keyActionOf(press('ArrowUp', { altKey: true }), false), 'up')
  assert.equal(keyActionOf(press('ArrowDown', { altKey: true }), false), 'down')
  assert.equal(keyActionOf(press('ArrowDown', { altKey: true }), true), undefined)
  assert.equal(keyActionOf(press('ArrowDown'), false), undefined)
  assert.equal(keyActionOf(press('ArrowUp', { altKey: true, shiftKey: true }), false), undefined)
  assert.equal(keyActionOf(press('ArrowUp', { altKey: true, ctrlKey: true }), false), undefined)
})

test('Enter adds a row only with Control or Command', () => {
  assert.equal(keyActionOf(press('Enter'), false), undefined)
  assert.equal(keyActionOf(press('Enter', { ctrlKey: true }), true), 'add')
  assert.equal(keyActionOf(press('Enter', { metaKey: true }), false), 'add')
})
