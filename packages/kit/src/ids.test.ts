import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIdGenerator, isUuid, newId } from './ids.ts'

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

test('an id is a UUIDv7 that carries the time', () => {
  const before = Date.now()
  const id = newId()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(timeOf(id) >= before && timeOf(id) <= Date.now())
  assert.ok(isUuid(id))
})

test('100,000 ids of one process are unique and sorted', () => {
  const ids = Array.from({ length: 100_000 }, newId)
  assert.equal(new Set(ids).size, ids.length)
  for (let index = 1; index < ids.length; index += 1) assert.ok(ids[index - 1]! < ids[index]!)
})

test('ids stay sorted when the clock goes back or stands still', () => {
  const generate = createIdGenerator()
  const ids = [1_000_000, 1_000_000, 999_000, 5, 1_000_001, 1_000_000].map(generate)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(timeOf(ids[3]!), 1_000_000)
  assert.equal(timeOf(ids[4]!), 1_000_001)
})

test('the tail differs between generators that see the same time', () => {
  const tails = Array.from({ length: 1000 }, () => createIdGenerator()(1_000_000).slice(14))
  assert.equal(new Set(tails).size, tails.length)
})

test('every bit of the tail varies', () => {
  const generate = createIdGenerator()
  let ones = 0n
  let zeros = 0n
  for (let count = 0; count < 500; count += 1) {
    const tail = BigInt(`0x${generate(count + 1).slice(24)}`)
    ones |= tail
    zeros |= ~tail & 0xffffffffffffn
  }
  assert.equal(ones, 0xffffffffffffn)
  assert.equal(zeros, 0xffffffffffffn)
})

test('isUuid accepts any version in both cases and nothing else', () => {
  for (const good of ['c232ab00-9414-11ec-b3c8-9f6bdeced846', '017F22E2-79B0-7CC3-98C4-DC0C0C07398F']) {
    assert.equal(isUuid(good), true, good)
  }
  const bad = [
    '',
    '1',
    'c232ab00-9414-11ec-b3c8-9f6bdeced84',
    'c232ab0094141 1ecb3c89f6bdeced846',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846\n',
    ' c232ab00-9414-11ec-b3c8-9f6bdeced846',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846a',
    '{c232ab00-9414-11ec-b3c8-9f6bdeced846}',
    'g232ab00-9414-11ec-b3c8-9f6bdeced846',
  ]
  for (const text of bad) assert.equal(isUuid(text), false, text)
})
