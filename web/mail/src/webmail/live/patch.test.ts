import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { QueryClient } from '@tanstack/react-query'
import { foldersQuery, messagesQuery, threadQuery } from '../queries.ts'
import { applyEvents, patchThread, replaceFolders } from './patch-cache.ts'
import { type MailChange, patchPages } from './patch-list.ts'

/** Of minute `at`; later is newer. */
const item = (id: string, at: number, more: Partial<MessageItem> = {}): MessageItem => ({
  object: 'message',
  id,
  thread_id: `t-${id}`,
  folder_id: 'inbox',
  folder_ids: ['inbox'],
  keywords: [],
  subject: id,
  from: null,
  to: [],
  cc: [],
  date: null,
  received_at: `2026-03-01T12:${String(at).padStart(2, '0')}:00.000Z`,
  preview: '',
  size_bytes: 1,
  flags: { seen: false, flagged: false, answered: false, draft: false, forwarded: false },
  has_attachments: false,
  snoozed_until: null,
  ...more,
})

const folder = (id: string, total: number, threads = total): Folder => ({
  object: 'folder',
  id,
  name: id,
  path: id,
  parent_id: null,
  role: null,
  total,
  unread: 0,
  threads,
  unread_threads: 0,
  position: 0,
})

const page = (data: MessageItem[], total = data.length, per_page = 3): List<MessageItem> => ({
  object: 'list',
  data,
  page: 1,
  per_page,
  total,
  pages: Math.ceil(total / per_page),
})

type Given = { changed?: MessageItem[]; removed?: string[]; threads?: MailChange['threads']; folders?: Folder[] }
const change = ({ changed = [], removed = [], threads = new Map(), folders = [] }: Given): MailChange => ({
  changed,
  removed: new Set(removed),
  threads,
  folders: new Map(folders.map((each) => [each.id, each])),
})

const PLAIN = { folder_id: 'inbox' }
const COLLAPSED = { folder_id: 'inbox', collapse_threads: '1' }
const rows = (pages: List<MessageItem>[] | null) => pages?.map(({ data }) => data.map(({ id }) => id).join(''))

describe('a list after events of the service', () => {
  const [a, b, c] = [item('a', 30), item('b', 20), item('c', 10)]

  test('has new mail at its place, and lets what does not fit go on to the next page', () => {
    const whole = patchPages(PLAIN, [page([a, b])], change({ changed: [item('n', 25)], folders: [folder('inbox', 3)] }))
    assert.deepEqual([rows(whole), whole?.[0]?.total], [['anb'], 3])
    const next = patchPages(
      PLAIN,
      [page([a, b, c], 9)],
      change({ changed: [item('n', 40)], folders: [folder('inbox', 10)] }),
    )
    assert.deepEqual([rows(next), next?.[0]?.total, next?.[0]?.pages], [['nab'], 10, 4])
  })

  test('shows new marks where a message stands, and nothing of other folders', () => {
    const seen = { ...b, flags: { ...b.flags, seen: true } }
    const next = patchPages(PLAIN, [page([a, b])], change({ changed: [seen, item('x', 50, { folder_ids: ['sent'] })] }))
    assert.deepEqual([rows(next), next?.[0]?.data[1]?.flags.seen], [['ab'], true])
  })

  test('loses what was removed or moved away, if it has all of what is left', () => {
    const moved = { ...a, folder_ids: ['archive'] }
    const next = patchPages(
      PLAIN,
      [page([a, b, c])],
      change({ changed: [moved], removed: ['c'], folders: [folder('inbox', 1)] }),
    )
    assert.deepEqual([rows(next), next?.[0]?.total], [['b'], 1])
    const short = patchPages(PLAIN, [page([a, b, c], 9)], change({ removed: ['c'], folders: [folder('inbox', 8)] }))
    assert.equal(short, null)
  })

  test('is read again when the count of the folder says that more happened than was reported', () => {
    assert.equal(
      patchPages(PLAIN, [page([a, b])], change({ changed: [item('n', 40)], folders: [folder('inbox', 4)] })),
      null,
    )
    assert.equal(patchPages(PLAIN, [page([a, b])], change({ changed: [item('n', 40)] })), null)
  })

  test('is read again where only the service knows what fits', () => {
    for (const filter of [
      { search: 'x' },
      { folder_id: 'inbox', unread: '1' },
      { ...PLAIN, sort: 'from', direction: 'asc' },
    ])
      assert.equal(patchPages(filter, [page([a])], change({ changed: [a] })), null, JSON.stringify(filter))
  })

  test('of conversations puts one that is answered on top, with its counts in this folder', () => {
    const counts = new Map([['t-b', { count: 2, unread_in: { inbox: 1, junk: 4 } }]])
    const answer = item('n', 40, { thread_id: 't-b' })
    const received = { changed: [answer], threads: counts, folders: [folder('inbox', 3, 2)] }
    const next = patchPages(COLLAPSED, [page([a, b])], change(received))
    assert.deepEqual(rows(next), ['na'])
    assert.deepEqual([next?.[0]?.data[0]?.thread_count, next?.[0]?.data[0]?.thread_unread], [2, 1])
  })

  test('of conversations keeps the row of the newest message when an older one comes', () => {
    const older = item('o', 1, { thread_id: 't-b' })
    const counts = new Map([['t-b', { count: 2, unread_in: {} }]])
    const next = patchPages(
      COLLAPSED,
      [page([a, b])],
      change({ changed: [older], threads: counts, folders: [folder('inbox', 3, 2)] }),
    )
    assert.deepEqual([rows(next), next?.[0]?.data[1]?.thread_count], [['ab'], 2])
  })

  test('of conversations is read again when the newest message of one goes and others are left', () => {
    const counts = new Map([['t-a', { count: 1, unread_in: {} }]])
    assert.equal(
      patchPages(COLLAPSED, [page([a, b])], change({ removed: ['a'], threads: counts, folders: [folder('inbox', 2)] })),
      null,
    )
    assert.deepEqual(
      rows(patchPages(COLLAPSED, [page([a, b])], change({ removed: ['a'], folders: [folder('inbox', 1)] }))),
      ['b'],
    )
  })

  test('of conversations takes one whose row is further down, and its count stays', () => {
    const answer = item('n', 40)
    const next = patchPages(
      COLLAPSED,
      [page([a, b, c], 9)],
      change({ changed: [answer], folders: [folder('inbox', 10, 9)] }),
    )
    assert.deepEqual([rows(next), next?.[0]?.total], [['nab'], 9])
  })
})

test('a conversation takes its new message in order and is read again when one is missing', () => {
  const [first, last] = [item('a', 1, { thread_id: 't' }), item('c', 30, { thread_id: 't' })]
  const thread = { object: 'thread' as const, id: 't', messages: [first, last] }
  const middle = item('b', 20, { thread_id: 't' })
  const counted = (count: number) => new Map([['t', { count, unread_in: {} }]])
  const next = patchThread(thread, change({ changed: [middle], threads: counted(3) }))
  assert.deepEqual(
    next?.messages.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  assert.equal(patchThread(thread, change({ changed: [middle], threads: counted(4) })), null)
  assert.equal(patchThread(thread, change({ changed: [item('z', 1)] })), thread)
})

test('folders are replaced where they stand, and asked for when one came, went or moved', () => {
  const known = { ...page([]), data: [folder('a', 1), folder('b', 2)] }
  assert.deepEqual(replaceFolders(known, ['b'], [folder('b', 5)])?.data[1]?.total, 5)
  assert.equal(replaceFolders(known, ['c'], [folder('c', 5)]), null)
  assert.equal(replaceFolders(known, ['b'], []), null)
  assert.equal(replaceFolders(known, ['b'], [{ ...folder('b', 2), path: 'a/b' }]), null)
})

test('an event changes what is cached without a request, and marks what does not follow from it', () => {
  const client = new QueryClient()
  const inbox = messagesQuery(PLAIN, 1).queryKey
  const search = messagesQuery({ search: 'x' }, 1).queryKey
  const all = messagesQuery({}, 1).queryKey
  client.setQueryData(inbox, page([item('a', 10)]))
  client.setQueryData(search, page([item('a', 10)]))
  client.setQueryData(all, page([item('a', 10)]))
  client.setQueryData(threadQuery('t-n').queryKey, { object: 'thread', id: 't-n', messages: [] })
  client.setQueryData(foldersQuery.queryKey, { ...page([]), data: [folder('inbox', 1)] })
  const event: MailboxEvent = {
    modseq: 2,
    folders: ['inbox'],
    changed_folders: [folder('inbox', 2)],
    messages_changed: true,
    messages: {
      changed: [item('n', 20)],
      removed: [],
      threads: [{ id: 't-n', count: 1, unread: 1, unread_in: { inbox: 1 } }],
    },
    submissions_changed: false,
    scheduled: null,
  }
  applyEvents(client, [event])
  const isStale = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated
  assert.deepEqual(rows([client.getQueryData(inbox) ?? page([])]), ['na'])
  assert.equal(client.getQueryData(foldersQuery.queryKey)?.data[0]?.total, 2)
  assert.equal(client.getQueryData(threadQuery('t-n').queryKey)?.messages.length, 1)
  assert.deepEqual([isStale(inbox), isStale(search), isStale(all)], [false, true, true])
  applyEvents(client, [{ ...event, folders: [], changed_folders: [], messages: null }])
  assert.equal(isStale(inbox), true)
})
