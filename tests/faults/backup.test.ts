import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backup } from './scenarios/backup.ts'

test('a service in use, backed up and restored after both were killed, is what it was, row by row and file by file', async () => {
  const { figures, broken } = await backup({ services: ['mail'], kills: 1, rows: 500, files: 12, writesPerSecond: 3 })
  assert.deepEqual(broken, [])
  assert.ok(Number(figures.files) > 12)
})
