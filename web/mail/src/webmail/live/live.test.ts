import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { readEvent } from './changes.ts'
import { newerThan, notesOf } from './notifications.ts'
import { waitBefore } from './stream.ts'
import { titleWith } from './unread-title.ts'

const event = (members: object) => ({
  modseq: 1,
  folders: [],
  changed_folders: [],
  messages_changed: false,
  messages: { changed: [], removed: [], threads: [] },
  submissions_changed: false,
  scheduled: null,
  ...members,
})

describe('what a stream reports', () => {
  test('is read only if it is what it should be', () => {
    const sent = event({ folders: ['a'], messages: null, scheduled: 2 })
    assert.deepEqual(readEvent(JSON.stringify(sent)), sent)
    for (const data of ['', '{', 'null', '7', '{}', JSON.stringify(event({ folders: [7] }))])
      assert.equal(readEvent(data), null, data)
    for (const members of [{ messages: {} }, { messages: 5 }, { scheduled: 'x' }, { changed_folders: null }])
      assert.equal(readEvent(JSON.stringify(event(members))), null, JSON.stringify(members))
  })

  test('is asked for again after longer and longer waits, a minute or so at most', () => {
    assert.deepEqual(
      [0, 1, 2, 20].map((tries) => waitBefore(tries, 0.5)),
      [1000, 2000, 4000, 60_000],
    )
    assert.ok(waitBefore(20, 0.999) < 76_000 && waitBefore(0, 0) === 750)
  })
})

describe('the title', () => {
  test('has the count in front, once, and none for nothing', () => {
    assert.equal(titleWith('Inbox · Stoa Mail', 3), '(3) Inbox · Stoa Mail')
    assert.equal(titleWith('(3) Inbox', 12), '(12) Inbox')
    assert.equal(titleWith('(12) Inbox', 0), 'Inbox')
    assert.equal(titleWith(titleWith('Inbox', 5000), 2), '(2) Inbox')
    assert.equal(titleWith('(draft) Letter', 1), '(1) (draft) Letter')
  })
})

describe('notifications', () => {
  const message = (id: string, members: Partial<MessageItem> = {}): MessageItem => ({
    object: 'message',
    id,
    thread_id: id,
    folder_id: 'inbox',
    folder_ids: ['inbox'],
    keywords: [],
    subject: `About ${id}`,
    from: { name: null, email: `${id}@outside.test` },
    to: [],
    cc: [],
    date: null,
    received_at: '2026-03-01T12:00:00.000Z',
    preview: '',
    size_bytes: 1,
    flags: { seen: false, flagged: false, answered: false, draft: false, forwarded: false },
    has_attachments: false,
    snoozed_until: null,
    ...members,
  })

  test('are of messages that came since the last look', () => {
    const old = message('a')
    const fresh = message('b', { received_at: '2026-03-01T12:00:00.001Z' })
    assert.deepEqual(newerThan([fresh, old], old.received_at), [fresh])
    assert.deepEqual(newerThan([old], ''), [old])
  })

  test('name the sender and the subject', () => {
    const [first, second] = notesOf(
      [message('a', { from: { name: 'Ann', email: 'a@x.test' } }), message('b', { from: null, subject: '' })],
      false,
    )
    assert.deepEqual([first?.title, first?.body, first?.messageId], ['Ann', 'About a', 'a'])
    assert.deepEqual([second?.title, second?.body], ['Unknown sender', 'No subject'])
  })

  test('of many are one', () => {
    const many = ['a', 'b', 'c', 'd'].map((id) => message(id))
    assert.deepEqual(
      notesOf(many, false).map(({ title, body, messageId }) => ({ title, body, messageId })),
      [
        {
          title: '4 new messages',
          body: 'a@outside.test, b@outside.test, c@outside.test and others',
          messageId: null,
        },
      ],
    )
    assert.equal(notesOf(many, true)[0]?.title, 'More than 4 new messages')
  })
})
