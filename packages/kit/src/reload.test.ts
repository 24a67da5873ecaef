import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createReload } from './reload.ts'

/** Readings that end when the test says so. */
const ground = () => {
  const open: PromiseWithResolvers<void>[] = []
  let begun = 0
  const load = createReload(() => {
    begun += 1
    const reading = Promise.withResolvers<void>()
    open.push(reading)
    return reading.promise
  })
  const next = async () => {
    await undefined
    const reading = open.shift()
    assert.ok(reading, 'nothing is being read')
    return reading
  }
  return { load, next, begun: () => begun }
}

describe('createReload', () => {
  test('however many ask during a reading, one more follows, and they wait for it', async () => {
    const { load, next, begun } = ground()
    const first = load()
    const others = [load(), load(), load()]
    const done: string[] = []
    void Promise.all([first, ...others]).then(() => done.push('all'))
    ;(await next()).resolve()
    await new Promise(setImmediate)
    assert.equal(begun(), 2)
    assert.deepEqual(done, [])
    ;(await next()).resolve()
    await Promise.all([first, ...others])
    assert.equal(begun(), 2)
  })

  test('a call after the end gets a reading of its own', async () => {
    const { load, next, begun } = ground()
    const first = load()
    ;(await next()).resolve()
    await first
    const second = load()
    assert.equal(begun(), 2)
    ;(await next()).resolve()
    await second
  })

  test('a failed read rejects all who wait for it, and the next one is tried', async () => {
    const { load, next, begun } = ground()
    const waiting = [load(), load()]
    ;(await next()).reject(new Error('gone'))
    assert.deepEqual(
      (await Promise.allSettled(waiting)).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    const retried = load()
    assert.equal(begun(), 2)
    ;(await next()).resolve()
    await retried
  })
})
