import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SocialPost } from '../wire.ts'
import { rightsOn } from './rights.ts'

type SocialTarget = SocialPost['targets'][number]

const target = (status: SocialTarget['status'], nextAttemptAt: string | null = null): SocialTarget => ({
  id: status,
  accountId: 'a',
  network: 'x',
  account: { name: 'A', handle: null, avatarUrl: null },
  status,
  step: null,
  caption: '',
  url: null,
  postedAt: null,
  error: null,
  warnings: [],
  attempts: 0,
  nextAttemptAt,
})
const author = { id: 'me', role: 'author' } as const
const editor = { id: 'other', role: 'editor' } as const
const held = (
  status: SocialPost['status'],
  targets: SocialTarget[],
  me: typeof author | typeof editor,
  authorId = 'me',
) =>
  Object.entries(rightsOn({ status, authorId, targets }, me))
    .filter(([, may]) => may)
    .map(([name]) => name)

describe('what a person may do with a post', () => {
  test('an author changes own drafts, and sends nothing', () => {
    assert.deepEqual(held('draft', [target('draft')], author), ['edit', 'remove'])
    assert.deepEqual(held('draft', [target('draft')], author, 'someone'), [])
    assert.deepEqual(held('scheduled', [target('scheduled')], author), [])
  })

  test('an editor schedules, sends, calls back and retries posts of everybody', () => {
    assert.deepEqual(held('draft', [target('draft')], editor), ['edit', 'schedule', 'publish', 'retry', 'remove'])
    assert.deepEqual(held('scheduled', [target('scheduled')], editor), [
      'edit',
      'schedule',
      'publish',
      'retry',
      'cancel',
      'remove',
    ])
    assert.deepEqual(held('partial', [target('posted'), target('failed')], editor), [
      'edit',
      'schedule',
      'retry',
      'remove',
    ])
    assert.ok(held('failed', [target('failed', '2026-03-01T12:00:00Z')], editor).includes('cancel'))
  })

  test('what is going out or out is left alone', () => {
    assert.deepEqual(held('publishing', [target('publishing'), target('failed')], editor), ['retry'])
    assert.deepEqual(held('posted', [target('posted')], editor), ['retry', 'remove'])
  })
})
