import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeBackups } from './health.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000)
const nothing = { goodAt: null, missingBlobs: 0, error: null, markedAt: null }

test('a backup may be two days old, whether we or another tool made it', () => {
  const none = judgeBackups(nothing, NOW)
  assert.deepEqual([none.status, none.message], ['warning', 'No backup yet.'])
  assert.match(none.action ?? '', /npm run backup/)
  const ours = (days: number) => judgeBackups({ ...nothing, goodAt: daysAgo(days) }, NOW)
  assert.deepEqual([ours(1).status, ours(3).status, ours(8).status], ['ok', 'warning', 'error'])
  assert.deepEqual([ours(1).message, ours(3).value], ['The last backup is 1 day old.', 3])
  const both = judgeBackups({ ...nothing, goodAt: daysAgo(9), markedAt: daysAgo(1) }, NOW)
  assert.deepEqual([both.status, both.value], ['ok', 1])
})

test('a backup that failed or missed files is reported although the previous one is recent', () => {
  const failed = judgeBackups({ ...nothing, goodAt: daysAgo(1), error: 'The disk is full.' }, NOW)
  assert.deepEqual(
    [failed.status, failed.message],
    ['warning', 'The last backup is 1 day old. The last attempt failed: The disk is full.'],
  )
  const missing = judgeBackups({ ...nothing, goodAt: daysAgo(1), missingBlobs: 2 }, NOW)
  assert.deepEqual(
    [missing.status, missing.message],
    ['warning', 'The last backup is 1 day old. 2 files were missing or damaged in the storage.'],
  )
})
