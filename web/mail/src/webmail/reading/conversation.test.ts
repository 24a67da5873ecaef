import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { recipientLine } from '../people.ts'
import { actionIds, openAtFirst, rowsOf, splitHidden, step } from './conversation.ts'
import { neighboursIn } from './neighbours.ts'
import { quoteStart } from './quotes.ts'

const item = (id: string, { seen = true, draft = false, folder = 'inbox' } = {}): MessageItem => ({
  object: 'message',
  id,
  thread_id: 't',
  folder_id: folder,
  folder_ids: [folder],
  keywords: [],
  subject: null,
  from: null,
  to: [],
  cc: [],
  date: null,
  received_at: '2026-11-15T10:00:00.000Z',
  preview: '',
  size_bytes: 1,
  has_attachments: false,
  snoozed_until: null,
  flags: { seen, flagged: false, answered: false, draft, forwarded: false },
})

const seen = (...ids: string[]) => ids.map((id) => item(id))
const shape = (rows: ReturnType<typeof rowsOf>) =>
  rows.map((row) => (row.kind === 'fold' ? `fold ${row.messages.length}` : `${row.message.id}${row.isOpen ? '!' : ''}`))

describe('an open conversation', () => {
  test('shows the newest, what is unread and what was asked for', () => {
    const messages = [item('a'), item('b', { seen: false }), item('c'), item('d'), item('e')]
    assert.deepEqual([...openAtFirst(messages, 'c')].toSorted(), ['b', 'c', 'e'])
  })

  test('a draft is not what is read, unless there is nothing else', () => {
    assert.deepEqual([...openAtFirst([item('a'), item('b', { draft: true, seen: false })], 'a')], ['a'])
    assert.deepEqual([...openAtFirst([item('b', { draft: true })], 'b')], ['b'])
  })

  test('folds a long run of read messages, but not a short one', () => {
    const messages = seen('a', 'b', 'c', 'd', 'e', 'f')
    assert.deepEqual(shape(rowsOf(messages, { open: new Set(['f']), isUnfolded: false })), ['a', 'fold 3', 'e', 'f!'])
    assert.deepEqual(shape(rowsOf(messages, { open: new Set(['e', 'f']), isUnfolded: false })), [
      'a',
      'b',
      'c',
      'd',
      'e!',
      'f!',
    ])
    assert.deepEqual(shape(rowsOf(messages, { open: new Set(['f']), isUnfolded: true })), [
      'a',
      'b',
      'c',
      'd',
      'e',
      'f!',
    ])
  })

  test('leaves out what was thrown away, unless there is nothing else', () => {
    const messages = [item('a'), item('b', { folder: 'trash' })]
    const { shown, hidden } = splitHidden(messages, new Set(['trash']))
    assert.deepEqual([shown.map(({ id }) => id), hidden.map(({ id }) => id)], [['a'], ['b']])
    assert.equal(splitHidden(messages.slice(1), new Set(['trash'])).shown.length, 1)
  })

  test('acts on what is in the same folder: an answer in Sent stays there', () => {
    const messages = [item('a'), item('b', { folder: 'sent' }), item('c')]
    assert.deepEqual(actionIds(messages, 'a'), ['a', 'c'])
    assert.deepEqual(actionIds(messages, 'b'), ['b'])
  })

  test('goes from one message to the next and stops at the ends', () => {
    assert.equal(step(['a', 'b', 'c'], 'b', 1), 'c')
    assert.equal(step(['a', 'b', 'c'], 'a', -1), undefined)
    assert.equal(step(['a', 'b'], undefined, -1), 'b')
    assert.equal(step(['a', 'b'], 'gone', 1), 'a')
  })
})

test('neighbours are found across pages, and not where a page is missing', () => {
  const pages = [
    { page: 2, ids: ['c', 'd'] },
    { page: 1, ids: ['a', 'b'] },
    { page: 5, ids: ['y', 'z'] },
  ]
  assert.deepEqual(neighboursIn(pages, 'b'), { newer: 'a', older: 'c' })
  assert.deepEqual(neighboursIn(pages, 'c'), { newer: 'b', older: 'd' })
  assert.deepEqual(neighboursIn(pages, 'd'), { newer: 'c', older: undefined })
  assert.deepEqual(neighboursIn(pages, 'y'), { newer: undefined, older: 'z' })
  assert.deepEqual(neighboursIn(pages, 'nobody'), { newer: undefined, older: undefined })
})

test('recipients in one line name oneself as me, and count those that have no room', () => {
  const people = ['ME@example.org', 'b@x.org', 'c@x.org', 'd@x.org'].map((email) => ({ name: null, email }))
  assert.equal(recipientLine(people, 'me@example.org'), 'me, b@x.org, c@x.org and 1 other')
  assert.equal(recipientLine([], undefined), 'nobody')
  assert.equal(recipientLine([{ name: ' Ada ', email: 'a@x.org' }], undefined), 'Ada')
})

describe('the quote at the end of a text', () => {
  const shown = (text: string) => {
    const start = quoteStart(text)
    return start === null ? null : text.slice(0, start)
  }

  test('begins with the line that says whose it is', () => {
    assert.equal(shown('Yes.\n\nOn Monday Ann wrote:\n> one\n>\n> two\n\n'), 'Yes.\n\n')
    assert.equal(shown('Yes.\n\nOn Monday, 16 November 2026\nAnn <ann@example.org> wrote:\n\n> one\n> two'), 'Yes.\n\n')
    assert.equal(shown('Yes.\n> one\n> two'), 'Yes.\n')
  })

  test('is none where something stands below it, nothing above, or it is only a line', () => {
    assert.equal(shown('> one\n> two\nNo.'), null)
    assert.equal(shown('On Monday Ann wrote:\n> one\n> two'), null)
    assert.equal(shown('Yes.\n> one'), null)
    assert.equal(shown('No quote at all:\n'), null)
  })
})
