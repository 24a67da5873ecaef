import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findChoices, isFewChoices, toggleChoice } from './choices.ts'

const options = ['red', 'green', 'blue'].map((value) => ({ value, label: `Colour ${value}` }))

test('few short choices are all in sight', () => {
  assert.equal(isFewChoices(options), true)
  assert.equal(isFewChoices([...options, ...options]), false)
  assert.equal(isFewChoices([{ value: 'a', label: 'a'.repeat(41) }]), false)
})

test('choices keep the order of the set, and one that is gone drops out', () => {
  assert.deepEqual(toggleChoice(options, ['blue'], 'red'), ['red', 'blue'])
  assert.deepEqual(toggleChoice(options, ['red', 'blue'], 'red'), ['blue'])
  assert.deepEqual(toggleChoice(options, ['pink'], 'red'), ['red'])
})

test('choices are found by all words, in any order', () => {
  assert.deepEqual(
    findChoices(options, 'gre col').map(({ value }) => value),
    ['green'],
  )
  assert.equal(findChoices(options, '').length, 3)
})
