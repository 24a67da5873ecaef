import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { groupCommit } from './group-commit.ts'

describe('groupCommit', () => {
  test('the first item is done at once, those that come meanwhile are done together, never more than a batch', async () => {
    const lots: string[][] = []
    const together = groupCommit<string, string>(3, async (items) => {
      lots.push([...items])
      await turn()
      return items.map((item) => ({ status: 'fulfilled', value: item.toUpperCase() }))
    })
    const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => together('key', item)))
    assert.deepEqual(results, ['A', 'B', 'C', 'D', 'E'])
    assert.deepEqual(lots, [['a'], ['b', 'c', 'd'], ['e']])
    assert.equal(await together('key', 'f'), 'F')
    assert.deepEqual(lots.at(-1), ['f'])
  })

  test('items of different keys do not wait for each other', async () => {
    const gate = Promise.withResolvers<void>()
    const together = groupCommit<string, string>(10, async (items) => {
      if (items[0] === 'slow') await gate.promise
      return items.map((value) => ({ status: 'fulfilled', value }))
    })
    const slow = together('one', 'slow')
    assert.equal(await together('two', 'quick'), 'quick')
    gate.resolve()
    assert.equal(await slow, 'slow')
  })

  test('each item gets its own refusal, all fail when the batch breaks, and the next batch goes on', async () => {
    const together = groupCommit<string, string>(10, async (items) => {
      await turn()
      if (items.includes('break')) throw new Error('the line is cut')
      return items.map((item) =>
        item === 'bad'
          ? { status: 'rejected', reason: new Error(`${item} is refused`) }
          : { status: 'fulfilled', value: item },
      )
    })
    const first = together('key', 'first')
    const settled = await Promise.allSettled([first, together('key', 'bad'), together('key', 'good')])
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
      ['first', 'Error: bad is refused', 'good'],
    )
    const broken = await Promise.allSettled([together('key', 'a'), together('key', 'break'), together('key', 'b')])
    assert.deepEqual(
      broken.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    )
    assert.equal(await together('key', 'after'), 'after')
  })
})
