import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from './slots.ts'

const LIMITS = { slots: 20, perDestination: 8 }

/** Takes what is asked for, as if there were always more. */
const takeAll = (slots: ReturnType<typeof createSlots>) => {
  const asked = slots.ask()
  slots.settle(asked, asked, slots.generation)
  return [...asked].flatMap(([domain, count]) => Array.from({ length: count }, () => slots.enter(domain)))
}

test('destinations that have not answered yet share half of the slots', () => {
  const slots = createSlots(LIMITS)
  slots.markReady(['a.test', 'b.test', 'c.test', 'd.test'])
  const taken = takeAll(slots)
  assert.deepEqual(
    Object.fromEntries(
      Map.groupBy(taken, ({ domain }) => domain)
        .entries()
        .map(([k, v]) => [k, v.length]),
    ),
    {
      'a.test': 5,
      'b.test': 5,
    },
  )
  assert.equal(takeAll(slots).length, 0)
})

test('one that answers gets more at a time, up to its limit, and the other half of the slots', () => {
  const slots = createSlots(LIMITS)
  slots.markReady(['good.test'])
  for (const slot of takeAll(slots)) slots.leave(slot, 'reached')
  slots.markReady(['x.test', 'y.test', 'z.test'])
  const taken = takeAll(slots)
  assert.equal(taken.filter(({ domain }) => domain === 'good.test').length, 8)
  assert.equal(taken.filter(({ isUnproven }) => isUnproven).length, 10)
})

test('what has become slow gives its slot to others, but its own destination gets no more', () => {
  const slots = createSlots(LIMITS)
  slots.markReady(['slow.test'])
  const stuck = takeAll(slots)
  for (const slot of stuck) slots.becomeSlow(slot)
  assert.equal(takeAll(slots).length, 0)
  slots.markReady(['a.test', 'b.test', 'c.test'])
  assert.equal(takeAll(slots).length, 10)
  for (const slot of stuck) slots.leave(slot, 'failed')
  const next = [...slots.ask()]
  assert.deepEqual(next, [])
})

test('one that failed is tried with a single message', () => {
  const slots = createSlots(LIMITS)
  slots.markReady(['a.test'])
  for (const slot of takeAll(slots)) slots.leave(slot, 'failed')
  assert.deepEqual([...slots.ask()], [['a.test', 1]])
})

test('a destination without more is tried again only when something new is due', () => {
  const slots = createSlots(LIMITS)
  slots.markReady(['a.test', 'b.test'])
  const asOf = slots.generation
  const asked = slots.ask()
  // While the answer was on its way, new mail came for one of them.
  slots.markReady(['b.test'])
  slots.settle(asked, new Map(), asOf)
  assert.deepEqual([...slots.ask().keys()], ['b.test'])
})
