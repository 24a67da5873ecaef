import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Folder } from '@stoa/mail-model/folders.ts'
import { directionOf, shownShift, swipeAt, swipesOf } from './swipe.ts'

const place = (role: Folder['role']) => ({
  kind: 'folder' as const,
  folder: {
    object: 'folder' as const,
    id: '1',
    name: 'x',
    path: 'x',
    parent_id: null,
    role,
    total: 0,
    unread: 0,
    threads: 0,
    unread_threads: 0,
    position: 0,
  },
})
const labels = (role: Folder['role']) => {
  const { right, left } = swipesOf(place(role))
  return [right?.label, left?.label]
}

test('what a push does is what one would do there, and can be undone', () => {
  assert.deepEqual(labels('inbox'), ['Archive', 'Delete'])
  assert.deepEqual(labels(null), ['Archive', 'Delete'])
  assert.deepEqual(labels('archive'), ['Inbox', 'Delete'])
  assert.deepEqual(labels('junk'), ['Not junk', 'Delete'])
  assert.deepEqual(labels('drafts'), [undefined, 'Delete'])
  // Nothing is deleted for good by a slip of the finger
  assert.deepEqual(labels('trash'), ['Inbox', undefined])
})

test('a finger that goes along the list scrolls it, and a slip does nothing', () => {
  const swipes = swipesOf(place('inbox'))
  assert.equal(directionOf(4, 5), 'unknown')
  assert.equal(directionOf(12, 11), 'scroll')
  assert.equal(directionOf(-20, 5), 'push')
  assert.equal(swipeAt(100, 390, swipes), undefined)
  assert.equal(swipeAt(130, 390, swipes)?.label, 'Archive')
  assert.equal(swipeAt(-130, 390, swipes)?.label, 'Delete')
  assert.equal(shownShift(80, { right: undefined, left: undefined }), 10)
})
