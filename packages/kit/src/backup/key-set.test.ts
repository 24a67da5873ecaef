import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createKeySet } from './key-set.ts'

const key = (number: number): string => createHash('sha256').update(String(number)).digest('hex')

test('a set of keys has what was added and nothing else', () => {
  const keys = createKeySet(5_000)
  for (let number = 0; number < 5_000; number += 1) {
    keys.add(key(number))
    keys.add(key(number))
  }
  for (let number = 0; number < 10_000; number += 1) assert.equal(keys.has(key(number)), number < 5_000)
})
