import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedMembers } from './changed-members.ts'

test('only members that differ are kept, lists by their content', () => {
  const before = { name: 'a', types: ['x', 'y'], on: true }
  assert.deepEqual(changedMembers({ ...before, types: ['x', 'y'] }, before), {})
  assert.deepEqual(changedMembers({ ...before, name: 'b', types: ['y'] }, before), { name: 'b', types: ['y'] })
  assert.deepEqual(before.types, ['x', 'y'])
})
