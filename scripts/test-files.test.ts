import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { root } from './environment.ts'
import { findTests, groupTests } from './test-files.ts'

describe('groups of test files', () => {
  const files = findTests(root, [])
  const groups = groupTests(root, files)
  const groupOf = (part: string): string[] => groups.find((group) => group.some((file) => file.includes(part))) ?? []

  test('hold every file once', () => {
    assert.ok(files.length > 400)
    assert.deepEqual(groups.flat().toSorted(), files)
  })

  test('are of one workspace each, and of a bounded size', () => {
    for (const group of groups) {
      assert.equal(new Set(group.map((file) => file.split('/').slice(0, 2).join('/'))).size, 1, group.join())
      assert.ok(group.length <= 12)
    }
    assert.ok(groups.length < files.length / 3, `${groups.length} groups`)
  })

  test('leave files that drive whole processes alone, and let browser tests begin first', () => {
    for (const part of ['tests/process/run', 'tests/faults/mail', 'scripts/mail-check'])
      assert.equal(groupOf(part).length, 1)
    assert.ok(groups[0]?.every((file) => file.startsWith('tests/')))
  })

  test('a part of a path chooses files', () => {
    assert.deepEqual(findTests(root, ['scripts/test-files']), ['scripts/test-files.test.ts'])
    assert.deepEqual(findTests(root, ['no such file']), [])
  })
})
