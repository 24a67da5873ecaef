import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KeyPress, keyLabels, parseShortcut, pressMatches } from './shortcut-keys.ts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

const matches = (keys: string, pressed: KeyPress, mac = false): boolean => {
  const step = parseShortcut(keys)[0]
  return step !== undefined && pressMatches(step, pressed, mac)
}

describe('shortcuts', () => {
  test('mod is Command on a Mac and Ctrl elsewhere, never both', () => {
    assert.equal(matches('mod+k', press('k', { metaKey: true }), true), true)
    assert.equal(matches('mod+k', press('k', { ctrlKey: true }), true), false)
    assert.equal(matches('mod+k', press('k', { ctrlKey: true })), true)
    assert.equal(matches('mod+k', press('k', { ctrlKey: true, metaKey: true })), false)
  })

  test('a letter needs exactly the Shift that it names', () => {
    assert.equal(matches('mod+s', press('S', { ctrlKey: true, shiftKey: true })), false)
    assert.equal(matches('mod+shift+s', press('S', { ctrlKey: true, shiftKey: true })), true)
  })

  test('a sign matches however the keyboard produces it', () => {
    assert.equal(matches('?', press('?', { shiftKey: true })), true)
    assert.equal(matches('?', press('?')), true)
  })

  test('a plain key does not match while a modifier is held', () => {
    assert.equal(matches('g', press('g', { ctrlKey: true })), false)
    assert.equal(matches('g', press('g', { altKey: true })), false)
  })

  test('a sequence has one step per key', () => {
    assert.deepEqual(
      parseShortcut('g d').map((step) => step.key),
      ['g', 'd'],
    )
  })

  test('keycaps show the signs of the platform', () => {
    assert.deepEqual(keyLabels('mod+shift+k', true), ['⌘', '⇧', 'K'])
    assert.deepEqual(keyLabels('mod+shift+k', false), ['Ctrl', 'Shift', 'K'])
    assert.deepEqual(keyLabels('escape', false), ['Esc'])
  })
})
