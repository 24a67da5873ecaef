import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from './environment.ts'
import { findTests, groupTests, startsServices, workspaceOf } from './test-files.ts'

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
      assert.equal(new Set(group.map(workspaceOf)).size, 1, group.join())
      assert.ok(group.length <= 60)
    }
    assert.ok(groups.length < files.length / 3, `${groups.length} groups`)
  })

  test('leave files that drive whole processes alone, and let browser tests begin first', () => {
    for (const part of ['tests/process/run', 'tests/faults/mail', 'scripts/mail-check'])
      assert.equal(groupOf(part).length, 1)
    assert.ok(groups[0]?.every((file) => file.startsWith('tests/')))
  })

  test('those alone, which mostly wait, begin one by one beside groups at work', () => {
    const isAlone = groups.map(([file = '']) => /^(tests\/(faults|process)\/|scripts\/mail-)/.test(file))
    const rest = isAlone.lastIndexOf(false)
    assert.deepEqual(
      isAlone.slice(0, rest).flatMap((one, index) => (one && isAlone[index + 1] ? [groups[index]] : [])),
      [],
    )
    assert.ok(groups.slice(0, 12).some(([file]) => file === 'tests/faults/mail.test.ts'))
  })

  test('a test that starts a service in a process of its own gets its bundle', () => {
    const starting = files.filter((file) =>
      /faults\/service-process\.ts|programOf\(/.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.ok(starting.includes('tests/process/site.test.ts') && starting.includes('tests/journeys/mail-panel.test.ts'))
    assert.deepEqual(
      starting.filter((file) => !startsServices(file)),
      [],
    )
    assert.equal(startsServices('services/mail/src/config.test.ts'), false)
  })

  test('a part of a path chooses files', () => {
    assert.deepEqual(findTests(root, ['scripts/test-files']), ['scripts/test-files.test.ts'])
    assert.deepEqual(findTests(root, ['no such file']), [])
  })
})
