import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlaces } from './places.ts'

const LIMITS = { places: 20, perDestination: 8 }

/** Takes what is asked for, as if there were always more. */
const takeAll = (places: ReturnType<typeof createPlaces>) => {
  const asked = places.ask()
  places.settle(asked, asked, places.generation)
  return [...asked].flatMap(([domain, count]) => Array.from({ length: count }, () => places.enter(domain)))
}

test('destinations that have not answered yet share half of the places', () => {
  const places = createPlaces(LIMITS)
  places.markReady(['a.test', 'b.test', 'c.test', 'd.test'])
  const taken = takeAll(places)
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
  assert.equal(takeAll(places).length, 0)
})

test('one that answers gets more at a time, up to its limit, and the other half of the places', () => {
  const places = createPlaces(LIMITS)
  places.markReady(['good.test'])
  for (const place of takeAll(places)) places.leave(place, 'reached')
  places.markReady(['x.test', 'y.test', 'z.test'])
  const taken = takeAll(places)
  assert.equal(taken.filter(({ domain }) => domain === 'good.test').length, 8)
  assert.equal(taken.filter(({ isUnproven }) => isUnproven).length, 10)
})

test('what has become slow gives its place to others, but its own destination gets no more', () => {
  const places = createPlaces(LIMITS)
  places.markReady(['slow.test'])
  const stuck = takeAll(places)
  for (const place of stuck) places.becomeSlow(place)
  assert.equal(takeAll(places).length, 0)
  places.markReady(['a.test', 'b.test', 'c.test'])
  assert.equal(takeAll(places).length, 10)
  for (const place of stuck) places.leave(place, 'failed')
  const next = [...places.ask()]
  assert.deepEqual(next, [])
})

test('one that failed is tried with a single message', () => {
  const places = createPlaces(LIMITS)
  places.markReady(['a.test'])
  for (const place of takeAll(places)) places.leave(place, 'failed')
  assert.deepEqual([...places.ask()], [['a.test', 1]])
})

test('a destination without more is asked again only when something new is said', () => {
  const places = createPlaces(LIMITS)
  places.markReady(['a.test', 'b.test'])
  const asOf = places.generation
  const asked = places.ask()
  // While the answer was on its way, new mail came for one of them.
  places.markReady(['b.test'])
  places.settle(asked, new Map(), asOf)
  assert.deepEqual([...places.ask().keys()], ['b.test'])
})
