import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { subjectOf } from '../people.ts'
import { idsOfRow } from './action-rows.ts'
import { pagesBetween, shiftOf } from './anchor.ts'
import { dayHeaders, dayHeading } from './day-headers.ts'
import { actionFilter, afterNewest, listFilter, readView } from './list-view.ts'
import { isUnread, marksOf, personOf, rowDate, whoOf } from './row-words.ts'

const item = (id: string, more: Partial<MessageItem> = {}): MessageItem => ({
  object: 'message',
  id,
  thread_id: 't',
  folder_id: 'inbox',
  folder_ids: ['inbox'],
  keywords: [],
  subject: 'Hello',
  from: { name: 'Ann', email: 'ann@outside.test' },
  to: [],
  cc: [],
  date: null,
  received_at: '2026-03-01T12:00:00.000Z',
  preview: '',
  size_bytes: 1,
  flags: { seen: true, flagged: false, answered: false, draft: false, forwarded: false },
  has_attachments: false,
  snoozed_until: null,
  ...more,
})

/** What the address says. */
const wordsOf = (words: Record<string, string>) => (name: string) => words[name] ?? ''

const places = (...ids: string[]) => {
  const byId = new Map(ids.map((id, index) => [id, index]))
  return (id: string) => byId.get(id)
}

test('rows that come in above move the sight down by as many', () => {
  assert.equal(shiftOf({ first: 1, keys: ['b', 'c'] }, places('new', 'a', 'b', 'c')), 1)
  assert.equal(shiftOf({ first: 2, keys: ['c', 'd'] }, places('b', 'c', 'd')), -1)
})

test('rows that are still there hold the sight; with none it stays', () => {
  assert.equal(shiftOf({ first: 0, keys: [undefined, 'gone', 'c'] }, places('x', 'y', 'z', 'c')), 1)
  assert.equal(shiftOf({ first: 5, keys: ['gone'] }, places('a')), 0)
})

test('a conversation that is answered goes to the top alone', () => {
  assert.equal(shiftOf({ first: 1, keys: ['b', 'c', 'd'] }, places('b', 'a', 'c', 'd')), 0)
})

test('rows lead to the pages that they are on', () => {
  assert.deepEqual(pagesBetween(0, 49, 50), [1])
  assert.deepEqual(pagesBetween(45, 51, 50), [1, 2])
  assert.deepEqual(pagesBetween(99_990, 99_999, 50), [2000])
})

test('a list asks for what the address says, and acts on all of it for the same', () => {
  const view = readView(wordsOf({ show: 'unread', sort: 'sender' }), { conversations: true })
  assert.deepEqual(listFilter({ folder_id: 'f' }, view), {
    folder_id: 'f',
    unread: '1',
    sort: 'from',
    direction: 'asc',
    collapse_threads: '1',
  })
  assert.deepEqual(actionFilter({ folder_id: 'f', search: 'x' }, 'files'), {
    folder_id: 'f',
    search: 'x',
    has_attachments: true,
  })
  assert.deepEqual(readView(wordsOf({ show: 'nonsense', sort: 'nonsense' }), { conversations: false }), {
    narrow: '',
    order: 'newest',
    conversations: false,
  })
})

test('selecting everything does not select what comes later', () => {
  const newest = { received_at: '2026-11-15T10:00:00.250Z' }
  const before = afterNewest('newest', newest, new Date('2026-11-15T12:00:00Z'))
  assert.equal(before, '2026-11-15T10:00:00.251Z')
  assert.deepEqual(actionFilter({ folder_id: 'f' }, '', before), { folder_id: 'f', before })
  assert.equal(afterNewest('sender', newest, new Date('2026-11-15T12:00:00Z')), '2026-11-15T12:00:00.001Z')
})

test('a conversation is acted on where its row is, as a whole, or by its one message', () => {
  const row = item('b', { thread_count: 3 })
  const messages = [item('a'), item('s', { folder_ids: ['sent'] }), row]
  assert.deepEqual(idsOfRow(row, messages, 'folder'), ['b', 'a'])
  assert.deepEqual(idsOfRow(row, messages, 'conversation'), ['b', 'a', 's'])
  assert.deepEqual(idsOfRow(row, messages, 'message'), ['b'])
  assert.deepEqual(idsOfRow(row, undefined, 'folder'), ['b'])
})

test('a row names its sender, and one’s own mail whom it goes to', () => {
  const sent = item('a', { to: [{ name: null, email: 'bob@outside.test' }], cc: [{ name: 'Cy', email: 'c@x.test' }] })
  assert.equal(whoOf(sent, false), 'Ann')
  assert.equal(whoOf(sent, true), 'To: bob@outside.test, Cy')
  assert.equal(whoOf({ from: null, to: [], cc: [] }, true), 'No recipients')
  assert.equal(whoOf({ from: null, to: [], cc: [] }, false), 'Unknown sender')
  assert.equal(subjectOf({ subject: ' ' }), 'No subject')
})

test('a date is as short as it can be', () => {
  const now = new Date(2026, 10, 15, 14, 0)
  assert.equal(rowDate(new Date(2026, 10, 15, 9, 5), now, 'en-GB'), '9:05')
  assert.equal(rowDate(new Date(2026, 10, 13, 23, 59), now, 'en-GB'), 'Fri')
  assert.equal(rowDate(new Date(2026, 2, 1), now, 'en-GB'), '1 Mar')
  assert.equal(rowDate(new Date(2025, 10, 15), now, 'en-GB'), '15/11/2025')
  assert.equal(rowDate(new Date(2026, 10, 20), now, 'en-GB'), '20 Nov')
})

test('a conversation is unread as long as one message of it is', () => {
  assert.equal(isUnread(item('a', { thread_unread: 1 })), true)
  assert.equal(isUnread(item('a', { thread_unread: 0, flags: { ...item('a').flags, seen: false } })), false)
  assert.equal(marksOf(item('a', { thread_unread: 2, has_attachments: true })), 'Unread, With attachments')
})

test('a row shows the picture of its sender, or of whom one’s own mail goes to', () => {
  const [ann, bob] = [
    { name: 'Ann', email: 'a@x.test' },
    { name: null, email: 'b@x.test' },
  ]
  assert.deepEqual(personOf({ from: ann, to: [bob], cc: [] }, false), ann)
  assert.deepEqual(personOf({ from: ann, to: [], cc: [bob] }, true), bob)
  assert.equal(personOf({ from: null, to: [], cc: [] }, false), null)
})

test('rows stand under days of the last week, then under months', () => {
  const now = new Date(2026, 10, 15, 14, 0)
  const headings = [
    [new Date(2026, 10, 15, 0, 5), 'Today'],
    [new Date(2026, 10, 15, 23, 0), 'Today'],
    [new Date(2026, 10, 14, 23, 59), 'Yesterday'],
    [new Date(2026, 10, 13), 'Friday'],
    [new Date(2026, 10, 9), 'Monday'],
    [new Date(2026, 10, 8), 'November'],
    [new Date(2025, 10, 15), 'November 2025'],
  ] as const
  for (const [at, heading] of headings) assert.equal(dayHeading(at, now, 'en-GB'), heading)
})

test('a heading stands above the first row of its day, and not where the row above is unknown', () => {
  const now = new Date(2026, 10, 15, 14, 0)
  const at = (index: number, day: number) => ({
    index,
    item: { received_at: new Date(2026, 10, day, 9).toISOString() },
  })
  const headers = dayHeaders([at(50, 1), at(0, 15), at(1, 15), at(2, 14), at(51, 1)], now, 'en-GB')
  assert.deepEqual(
    [...headers],
    [
      [0, 'Today'],
      [2, 'Yesterday'],
    ],
  )
})
