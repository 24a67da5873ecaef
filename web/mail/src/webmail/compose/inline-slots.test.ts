import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { followSlots, type SlotWindows } from './inline-slots.ts'

const at = (path: string, placed: Record<string, string>, shown = Object.keys(placed)) => ({
  path,
  placed: new Map(Object.entries(placed)),
  shown: new Set(shown),
})
const follow = (...steps: ReturnType<typeof at>[]): string[][] => {
  let windows: SlotWindows = new Map()
  return steps.map((step) => {
    const { next, left } = followSlots(windows, step)
    windows = next
    return left
  })
}

describe('a window below a message', () => {
  test('is given up when the message is left, also when the address changes first', () => {
    assert.deepEqual(follow(at('/inbox/a', { a: 'w' }), at('/inbox/b', {}, ['b'])), [[], ['w']])
    assert.deepEqual(follow(at('/inbox/a', { a: 'w' }), at('/inbox/b', { a: 'w' }), at('/inbox/b', {}, ['b'])), [
      [],
      [],
      ['w'],
    ])
  })

  test('stays while the message is only drawn anew, and has its place again', () => {
    assert.deepEqual(follow(at('/inbox/a', { a: 'w' }), at('/inbox/a', {}, []), at('/inbox/a', { a: 'w' })), [
      [],
      [],
      [],
    ])
    assert.deepEqual(follow(at('/inbox/a', { a: 'w' }), at('/inbox/a', {}, []), at('/inbox', {}, [])), [[], [], ['w']])
  })

  test('that took the place of another one has it from then on', () => {
    const steps = [at('/inbox/a', { a: 'w' }), at('/inbox/b', { a: 'v' }), at('/inbox/b', {}, [])]
    assert.deepEqual(follow(...steps), [[], [], []])
  })
})
