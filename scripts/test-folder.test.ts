import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openMemoryFolder } from './test-folder.ts'

describe('the folder in memory', () => {
  const below = mkdtempSync(join(tmpdir(), 'test-folder-'))
  after(() => rmSync(below, { recursive: true, force: true }))

  test('may be used by everyone, and is gone when it is removed', () => {
    const folder = openMemoryFolder(below, 0)
    assert.ok(folder)
    assert.equal(statSync(folder.path).mode & 0o7777, 0o1777)
    assert.deepEqual(readdirSync(folder.path), [])
    writeFileSync(join(folder.path, 'file'), '')
    folder.remove()
    assert.deepEqual(readdirSync(below), [])
  })

  test('of a process that has ended is removed; of one that is at work it stays, and so does what is not ours', () => {
    const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
    const names = [`stoa-tests-${ended}`, `stoa-tests-${process.ppid}`, 'stoa-tests-x', 'other']
    for (const name of names) mkdirSync(join(below, name, 'data'), { recursive: true })
    openMemoryFolder(below, 0)?.remove()
    assert.deepEqual(readdirSync(below).toSorted(), names.slice(1).toSorted())
  })

  test('of a process that was killed is removed with the disk that it had mounted', (context) => {
    if (process.getuid?.() !== 0) return context.skip('a disk is mounted, which needs root')
    const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
    const disk = join(below, `stoa-tests-${ended}`, 'disk')
    mkdirSync(disk, { recursive: true })
    assert.equal(spawnSync('mount', ['-t', 'tmpfs', 'stoa', disk]).status, 0)
    openMemoryFolder(below, 0)?.remove()
    assert.equal(existsSync(join(below, `stoa-tests-${ended}`)), false)
  })

  test('is not made where there is no room or no such place', () => {
    assert.equal(openMemoryFolder(below, 2 ** 60), undefined)
    assert.equal(openMemoryFolder(join(below, 'nowhere'), 0), undefined)
    assert.equal(existsSync(join(below, `stoa-tests-${process.pid}`)), false)
  })
})
