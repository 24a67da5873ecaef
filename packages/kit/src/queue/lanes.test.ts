import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLanes, SLOW_AFTER_MS } from './lanes.ts'

const limits = { healthy: 4, failing: 2, slow: 3, perKey: 2 }
const roomsOf = (lanes: ReturnType<typeof createLanes>, now: number) => lanes.rooms(now).map(({ limit }) => limit)

test('each lane has its own slots, which are free again after leaving', () => {
  const lanes = createLanes(limits)
  assert.deepEqual(roomsOf(lanes, 0), [4, 2])
  const slots = [lanes.enter('failing', 'a', 0), lanes.enter('failing', 'b', 0), lanes.enter('healthy', 'c', 0)]
  assert.deepEqual(roomsOf(lanes, 0), [3, 0])
  for (const slot of slots) lanes.leave(slot)
  assert.deepEqual(roomsOf(lanes, 0), [4, 2])
})

test('attempts that turn slow make room for quick ones, but only so many', () => {
  const lanes = createLanes(limits)
  for (const endpoint of ['a', 'b', 'c', 'd']) lanes.enter('healthy', endpoint, 0)
  assert.deepEqual(roomsOf(lanes, SLOW_AFTER_MS - 1), [0, 2])
  assert.deepEqual(roomsOf(lanes, SLOW_AFTER_MS), [3, 2])
  for (const endpoint of ['e', 'f', 'g']) lanes.enter('healthy', endpoint, 0)
  assert.deepEqual(roomsOf(lanes, SLOW_AFTER_MS), [0, 2])
})

test('one key has few slots, and none more while it is failing or slow', () => {
  const lanes = createLanes(limits)
  lanes.enter('healthy', 'quick', 900)
  lanes.enter('healthy', 'full', 900)
  lanes.enter('healthy', 'full', 900)
  lanes.enter('healthy', 'slow', 0)
  lanes.enter('failing', 'failing', 900)
  const [{ slotsLeft }] = lanes.rooms(SLOW_AFTER_MS + 500)
  assert.deepEqual(Object.fromEntries(slotsLeft), { quick: 1, full: 0, slow: 0, failing: 0 })
})
