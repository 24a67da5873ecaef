import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Followed } from './channel.ts'
import { createFollowers } from './following.ts'

/** What each worker knows to be followed elsewhere, as its primary says it. */
const begin = () => {
  const known = new Map<number, Set<string>>()
  const followers = createFollowers(async (worker, { keys, isFollowed }: Followed) => {
    const own = known.get(worker) ?? new Set()
    known.set(worker, own)
    for (const key of keys)
      if (isFollowed) own.add(key)
      else own.delete(key)
  })
  for (const worker of [1, 2, 3]) assert.deepEqual(followers.join(worker), [])
  return { followers, knownTo: (worker: number) => [...(known.get(worker) ?? [])].sort() }
}

const FOLLOW = { key: 'box', isFollowed: true }
const LEAVE = { key: 'box', isFollowed: false }

describe('what workers follow', () => {
  test('is known to the others when following begins, and not to the one that follows', async () => {
    const { followers, knownTo } = begin()
    await followers.follow(1, FOLLOW)
    assert.deepEqual([knownTo(1), knownTo(2), knownTo(3)], [[], ['box'], ['box']])
  })

  test('is known to a worker that starts later once it asks, and not announced to it before', async () => {
    const { followers, knownTo } = begin()
    await followers.follow(1, FOLLOW)
    assert.deepEqual(knownTo(4), [])
    assert.deepEqual(followers.join(4), ['box'])
    await followers.follow(1, LEAVE)
    await followers.follow(4, FOLLOW)
    assert.deepEqual([knownTo(1), followers.join(4)], [['box'], []])
  })

  test('is followed until the last one leaves', async () => {
    const { followers, knownTo } = begin()
    await followers.follow(1, FOLLOW)
    await followers.follow(2, FOLLOW)
    assert.deepEqual([knownTo(1), knownTo(2), knownTo(3)], [['box'], ['box'], ['box']])
    await followers.follow(1, LEAVE)
    assert.deepEqual([knownTo(1), knownTo(2), knownTo(3)], [['box'], [], ['box']])
    await followers.follow(2, LEAVE)
    assert.deepEqual([knownTo(1), knownTo(2), knownTo(3)], [[], [], []])
  })

  test('is left by a worker that ends', async () => {
    const { followers, knownTo } = begin()
    await followers.follow(1, FOLLOW)
    await followers.follow(1, { key: 'other box', isFollowed: true })
    await followers.forget(1)
    assert.deepEqual([knownTo(2), followers.join(2)], [[], []])
  })
})
