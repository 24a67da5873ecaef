import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import { QueryClient } from '@tanstack/react-query'
import { foldersQuery, messagesQuery, threadQuery } from '../queries.ts'
import { knownStates, showChange } from './mail-cache.ts'

const item = (id: string, keywords: string[] = []): MessageItem => ({
  object: 'message',
  id,
  thread_id: 't',
  folder_id: 'inbox',
  folder_ids: ['inbox'],
  keywords,
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
  flags: { seen: keywords.includes('$seen'), flagged: false, answered: false, draft: false, forwarded: false },
})

const list = <T>(data: T[]): List<T> => ({ object: 'list', data, page: 1, per_page: 50, total: data.length, pages: 1 })

const inbox: Folder = {
  object: 'folder',
  id: 'inbox',
  name: 'INBOX',
  path: 'INBOX',
  parent_id: null,
  role: 'inbox',
  total: 2,
  unread: 1,
  threads: 1,
  unread_threads: 1,
  position: 0,
}

const filled = () => {
  const client = new QueryClient()
  const page = messagesQuery({ folder_id: 'inbox' }, 1).queryKey
  const thread = threadQuery('t').queryKey
  const conversation: Thread = { object: 'thread', id: 't', messages: [item('a'), item('b', ['$seen'])] }
  client.setQueryData(page, list([item('b', ['$seen'])]))
  client.setQueryData(thread, conversation, { updatedAt: Date.now() + 1 })
  client.setQueryData(foldersQuery.queryKey, list([inbox]))
  const read = () => ({
    rows: client.getQueryData(page)?.data.map(({ id }) => id),
    thread: client.getQueryData(thread)?.messages.map(({ folder_id }) => folder_id),
    unread: client.getQueryData(foldersQuery.queryKey)?.data[0]?.unread,
  })
  return { client, read }
}

describe('the cache of the webmail', () => {
  test('knows messages from lists and conversations, and nothing of others', () => {
    const { client } = filled()
    assert.deepEqual([...knownStates(client, ['a', 'b', 'nobody']).keys()].toSorted(), ['a', 'b'])
  })

  test('shows an action everywhere at once, and can put everything back', () => {
    const { client, read } = filled()
    const before = read()
    const putBack = showChange(client, knownStates(client, ['a', 'b']), { folderId: 'archive' })
    assert.deepEqual(read(), { rows: [], thread: ['archive', 'archive'], unread: 0 })
    putBack()
    assert.deepEqual(read(), before)
  })
})
