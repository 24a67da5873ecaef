import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comboOf } from './keys.ts'

const press = (key: string, held: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }) as KeyboardEvent
const mod = { ctrlKey: true }

describe('a key that is pressed in the canvas', () => {
  test('is a shortcut of the editor', () => {
    assert.equal(comboOf(press('k', mod), false), 'mod+K')
    assert.equal(comboOf(press('Z', { metaKey: true, shiftKey: true }), false), 'mod+Shift+Z')
    assert.equal(comboOf(press('ArrowUp', { altKey: true }), false), 'Alt+Up')
    for (const digit of ['1', '6']) assert.equal(comboOf(press(digit), false), digit)
    for (const other of ['0', '7', 'a', 'ArrowUp']) assert.equal(comboOf(press(other), false), null)
    assert.equal(comboOf(press('1', mod), false), null)
  })

  test('is text, or moves the caret, while somebody types', () => {
    assert.equal(comboOf(press('1'), true), null)
    assert.equal(comboOf(press('k', mod), true), null)
    assert.equal(comboOf(press('ArrowDown', { altKey: true }), true), null)
    assert.equal(comboOf(press('s', mod), true), 'mod+S')
    assert.equal(comboOf(press('z', mod), true), 'mod+Z')
  })
})
