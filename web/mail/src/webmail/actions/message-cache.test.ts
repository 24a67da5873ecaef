import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { changeFolders, changeMessage, changePages, changeThread } from './message-cache.ts'
import { targetBodies } from './target.ts'

const item = (id: string, changes: Partial<MessageItem> = {}): MessageItem => {
  const keywords = changes.keywords ?? []
  return {
    object: 'message',
    id,
    thread_id: `t-${id}`,
    folder_id: 'inbox',
    folder_ids: ['inbox'],
    subject: id,
    from: { name: null, email: 'a@example.org' },
    to: [],
    cc: [],
    date: null,
    received_at: '2026-11-15T10:00:00.000Z',
    preview: '',
    size_bytes: 1,
    has_attachments: false,
    snoozed_until: null,
    ...changes,
    keywords,
    flags: {
      seen: keywords.includes('$seen'),
      flagged: keywords.includes('$flagged'),
      answered: false,
      draft: false,
      forwarded: false,
    },
  }
}

const list = <T>(data: T[], total = data.length): List<T> => ({
  object: 'list',
  data,
  page: 1,
  per_page: 50,
  total,
  pages: 1,
})

const folder = (id: string, total: number, unread: number): Folder => ({
  object: 'folder',
  id,
  name: id,
  path: id,
  parent_id: null,
  role: null,
  total,
  unread,
  threads: total,
  unread_threads: unread,
  position: 0,
})

const known = (...items: MessageItem[]) => new Map(items.map((each) => [each.id, each]))

describe('a message after an action', () => {
  test('marks become keywords and flags, labels stay words', () => {
    const changed = changeMessage(item('a', { keywords: ['$seen', 'tax'] }), {
      add: ['flagged', 'work'],
      remove: ['seen'],
    })
    assert.deepEqual(changed.keywords.toSorted(), ['$flagged', 'tax', 'work'])
    assert.equal(changed.flags.seen, false)
    assert.equal(changed.flags.flagged, true)
  })

  test('moving it out of Snoozed ends the snooze', () => {
    const snoozed = item('a', { folder_ids: ['snoozed'], snoozed_until: '2027-01-01T00:00:00.000Z' })
    const changed = changeMessage(snoozed, { folderId: 'inbox' })
    assert.deepEqual([changed.snoozed_until, changed.folder_id, changed.folder_ids], [null, 'inbox', ['inbox']])
  })
})

describe('lists after an action', () => {
  test('what was moved leaves its folder and stays in a search', () => {
    const [a, b] = [item('a'), item('b')]
    const [inFolder, inSearch] = changePages(
      [
        { filter: { folder_id: 'inbox' }, page: list([a, b], 80) },
        { filter: { search: 'x' }, page: list([a, b], 80) },
      ],
      { known: known(a), change: { folderId: 'archive' } },
    )
    assert.deepEqual([inFolder?.data.map(({ id }) => id), inFolder?.total], [['b'], 79])
    assert.deepEqual([inSearch?.data.map(({ folder_id }) => folder_id), inSearch?.total], [['archive', 'inbox'], 80])
  })

  test('the total changes on every page of the list, whichever page the row was on', () => {
    const [a, b] = [item('a'), item('b')]
    const filter = { folder_id: 'inbox' }
    const pages = changePages(
      [
        { filter, page: list([a], 51) },
        { filter, page: list([b], 51) },
      ],
      {
        known: known(b),
        change: { gone: true },
      },
    )
    assert.deepEqual(
      pages.map(({ total, data }) => [total, data.length]),
      [
        [50, 1],
        [50, 0],
      ],
    )
  })

  test('a page that the action does not concern is the same object: nothing is drawn anew', () => {
    const page = list([item('a')])
    assert.equal(changePages([{ filter: {}, page }], { known: known(item('z')), change: { add: ['seen'] } })[0], page)
  })

  test('a row of a conversation counts its unread messages, also those that are not the row', () => {
    const row = item('new', { thread_id: 't', thread_count: 3, thread_unread: 2, keywords: ['$seen'] })
    const older = item('old', { thread_id: 't' })
    const [page] = changePages([{ filter: {}, page: list([row]) }], { known: known(older), change: { add: ['seen'] } })
    assert.deepEqual([page?.data[0]?.thread_unread, page?.data[0]?.thread_count], [1, 3])
  })
})

const nobodyKnows = () => undefined

describe('folders and conversations after an action', () => {
  test('a conversation is unread in a folder until the last of it there is read', () => {
    const folders = list([folder('inbox', 3, 2)])
    const read = (id: string, unreadBefore: number) =>
      changeFolders(
        folders,
        { known: known(item(id, { thread_id: 't' })), change: { add: ['seen'] } },
        () => unreadBefore,
      ).data[0]?.unread_threads
    assert.deepEqual([read('a', 2), read('b', 1)], [2, 1])
  })

  test('a conversation that is moved as a whole is one less there, however many messages it has', () => {
    const folders = list([folder('inbox', 10, 4), folder('archive', 100, 0)])
    const states = known(item('a', { thread_id: 't' }), item('b', { thread_id: 't' }))
    const { data } = changeFolders(folders, { known: states, change: { folderId: 'archive' } }, nobodyKnows)
    assert.deepEqual(
      data.map(({ total, threads, unread_threads }) => [total, threads, unread_threads]),
      [
        [8, 9, 3],
        [102, 101, 1],
      ],
    )
  })

  test('counts go along with what was moved', () => {
    const folders = list([folder('inbox', 10, 4), folder('archive', 100, 1), folder('other', 5, 5)])
    const states = known(item('a'), item('b', { keywords: ['$seen'] }))
    const { data } = changeFolders(folders, { known: states, change: { folderId: 'archive' } }, nobodyKnows)
    assert.deepEqual(
      data.map(({ total, unread, threads, unread_threads }) => [total, unread, threads, unread_threads]),
      [
        [8, 3, 8, 3],
        [102, 2, 102, 2],
        [5, 5, 5, 5],
      ],
    )
    assert.equal(data[2], folders.data[2])
  })

  test('reading what was unread counts down, and reading it twice does not', () => {
    const folders = list([folder('inbox', 10, 4)])
    const first = changeFolders(folders, { known: known(item('a')), change: { add: ['seen'] } }, nobodyKnows)
    const read = known(item('a', { keywords: ['$seen'] }))
    const again = changeFolders(first, { known: read, change: { add: ['seen'] } }, nobodyKnows)
    assert.deepEqual([first.data[0]?.unread, again.data[0]?.unread], [3, 3])
  })

  test('a message that is gone is no part of its conversation', () => {
    const thread = { object: 'thread' as const, id: 't', messages: [item('a'), item('b')] }
    const after = changeThread(thread, { known: known(item('a')), change: { gone: true } })
    assert.deepEqual(
      after.messages.map(({ id }) => id),
      ['b'],
    )
  })
})

test('more messages than the service takes at once become several requests', () => {
  const ids = Array.from({ length: 1001 }, (_, index) => String(index))
  assert.deepEqual(
    targetBodies({ ids }).map((body) => ('message_ids' in body ? body.message_ids.length : 0)),
    [500, 500, 1],
  )
})
