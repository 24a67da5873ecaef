import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { insertItem, moveItem, removeItem, replaceItem } from '../items.ts'
import { keyRows, rekeyRows } from './row-keys.ts'

const start = () => keyRows(['a', 'b', 'c'].map((name) => ({ name })))

describe('the key of a row', () => {
  test('goes with it when it moves', () => {
    const before = start()
    const [a, b, c] = before.keys
    assert.deepEqual(rekeyRows(before, moveItem(before.rows, 0, 2)).keys, [b, c, a])
  })

  test('stays when it is edited', () => {
    const before = start()
    assert.deepEqual(rekeyRows(before, replaceItem(before.rows, 1, { name: 'x' })).keys, before.keys)
  })

  test('stays for the others when one is added or removed', () => {
    const before = start()
    const [a, b, c] = before.keys
    const added = rekeyRows(before, insertItem(before.rows, 1, { name: 'b' })).keys
    assert.deepEqual([added[0], added[2], added[3]], [a, b, c])
    assert.ok(!before.keys.includes(added[1] ?? ''))
    assert.deepEqual(rekeyRows(before, removeItem(before.rows, 1)).keys, [a, c])
  })

  test('stays when the service sends the same rows as new objects, in whatever order', () => {
    const before = start()
    const [a, b, c] = before.keys
    const sent = rekeyRows(before, [{ name: 'c' }, { name: 'cleaned' }, { name: 'a' }]).keys
    assert.deepEqual(sent, [c, b, a])
    assert.deepEqual(rekeyRows(before, structuredClone(before.rows)).keys, [a, b, c])
  })

  test('is never given twice, also among rows with the same content', () => {
    const twins = keyRows([{ name: '' }, { name: '' }, { name: '' }])
    const keys = rekeyRows(twins, structuredClone([...twins.rows, ...twins.rows])).keys
    assert.equal(new Set(keys).size, 6)
    assert.deepEqual(keys.slice(0, 3), twins.keys)
  })
})
