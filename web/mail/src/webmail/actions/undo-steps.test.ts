import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MessageState } from './message-cache.ts'
import { type Action, undoSteps } from './undo-steps.ts'

const NOW = new Date('2026-11-15T10:00:00.000Z')
const TOMORROW = '2026-11-16T08:00:00.000Z'
const NEXT_WEEK = '2026-11-23T08:00:00.000Z'
const places = { inbox: 'inbox', snoozed: 'snoozed' }

const state = (
  id: string,
  folder: string,
  keywords: string[] = [],
  snoozedUntil: string | null = null,
): MessageState => ({
  id,
  thread_id: id,
  folder_id: folder,
  folder_ids: [folder],
  keywords,
  flags: { seen: keywords.includes('$seen'), flagged: false, answered: false, draft: false, forwarded: false },
  snoozed_until: snoozedUntil,
})

const undo = (action: Action, ...before: MessageState[]) =>
  undoSteps(action, new Map(before.map((each) => [each.id, each])), places, NOW)

describe('undo', () => {
  test('moves each message back to the folder that it came from', () => {
    assert.deepEqual(
      undo({ kind: 'move', folderId: 'archive' }, state('a', 'inbox'), state('b', 'work'), state('c', 'inbox')),
      [
        { path: 'move', body: { message_ids: ['a', 'c'], folder_id: 'inbox' } },
        { path: 'move', body: { message_ids: ['b'], folder_id: 'work' } },
      ],
    )
  })

  test('leaves out what was there already', () => {
    assert.deepEqual(undo({ kind: 'move', folderId: 'trash' }, state('a', 'trash')), [])
  })

  test('puts what was snoozed away again until the same moment', () => {
    assert.deepEqual(undo({ kind: 'move', folderId: 'archive' }, state('a', 'snoozed', [], TOMORROW)), [
      { path: 'move', body: { message_ids: ['a'], folder_id: 'inbox' } },
      { path: 'snooze', body: { message_ids: ['a'], until: TOMORROW } },
    ])
  })

  test('takes marks off only those that had none before', () => {
    assert.deepEqual(
      undo(
        { kind: 'flags', add: ['flagged', 'work'], remove: ['tax'] },
        state('a', 'inbox', ['$flagged', 'tax']),
        state('b', 'inbox'),
      ),
      [
        { path: 'flags', body: { message_ids: ['b'], remove: ['flagged'] } },
        { path: 'flags', body: { message_ids: ['a', 'b'], remove: ['work'] } },
        { path: 'flags', body: { message_ids: ['a'], add: ['tax'] } },
      ],
    )
  })

  test('of junk teaches the filter the contrary, and puts back what was not in the inbox', () => {
    assert.deepEqual(undo({ kind: 'junk', isJunk: true }, state('a', 'inbox'), state('b', 'work')), [
      { path: 'flags', body: { message_ids: ['a', 'b'], remove: ['junk'] } },
      { path: 'move', body: { message_ids: ['b'], folder_id: 'work' } },
    ])
    assert.deepEqual(undo({ kind: 'junk', isJunk: false }, state('a', 'junk')), [
      { path: 'flags', body: { message_ids: ['a'], add: ['junk'] } },
    ])
  })

  test('of a snooze brings back, and what was read is read again', () => {
    const action: Action = { kind: 'snooze', until: NEXT_WEEK }
    assert.deepEqual(undo(action, state('a', 'inbox', ['$seen']), state('b', 'snoozed', [], TOMORROW)), [
      { path: 'snooze', body: { message_ids: ['a'], until: null } },
      { path: 'snooze', body: { message_ids: ['b'], until: TOMORROW } },
      { path: 'flags', body: { message_ids: ['a'], add: ['seen'] } },
    ])
  })

  test('of bringing back snoozes again, unless the moment has passed', () => {
    const action: Action = { kind: 'snooze', until: null }
    assert.deepEqual(undo(action, state('a', 'snoozed', [], TOMORROW)), [
      { path: 'snooze', body: { message_ids: ['a'], until: TOMORROW } },
    ])
    assert.deepEqual(undo(action, state('a', 'snoozed', ['$seen'], '2026-11-14T08:00:00.000Z')), [])
  })
})
