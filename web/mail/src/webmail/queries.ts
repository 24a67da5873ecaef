import type { Suggestion } from '@stoa/mail-model/contacts.ts'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { Identity } from '@stoa/mail-model/identities.ts'
import type { Label } from '@stoa/mail-model/labels.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { Message, MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, send } from '../api.ts'
import { sendMailbox } from './api.ts'

/** The mailbox that somebody is signed in to. Callers lead to the sign-in themselves. */
export const mailboxQuery = queryOptions({
  queryKey: ['webmail', 'me'],
  queryFn: ({ signal }) => send<Mailbox>('GET', '/api/mail/me', { signal }),
})

export const foldersQuery = queryOptions({
  queryKey: ['webmail', 'folders'],
  queryFn: ({ signal }) => sendMailbox<List<Folder>>('GET', `/api/mail/folders?${ALL}`, { signal }),
})

/** Labels are made seldom, and counting them reads the whole mailbox. */
const LABELS_FRESH_MS = 300_000

export const labelsQuery = queryOptions({
  queryKey: ['webmail', 'labels'],
  queryFn: ({ signal }) => sendMailbox<List<Label>>('GET', `/api/mail/labels?${ALL}`, { signal }),
  staleTime: LABELS_FRESH_MS,
})

/** How the owner likes the webmail. */
export const mailSettingsQuery = queryOptions({
  queryKey: ['webmail', 'settings'],
  queryFn: ({ signal }) => sendMailbox<MailboxSettings>('GET', '/api/mail/settings', { signal }),
})

export const mailIdentitiesQuery = queryOptions({
  queryKey: ['webmail', 'identities'],
  queryFn: ({ signal }) => sendMailbox<List<Identity>>('GET', `/api/mail/identities?${ALL}`, { signal }),
})

/** People to write to or to look for: contacts, and those who wrote. */
export const suggestionsQuery = (search: string) =>
  queryOptions({
    queryKey: ['webmail', 'contacts', 'suggestions', search],
    queryFn: ({ signal }) =>
      sendMailbox<List<Suggestion>>('GET', `/api/mail/contacts/suggestions?${new URLSearchParams({ search })}`, {
        signal,
      }),
  })

/** Members of the query of `GET /api/mail/messages` without the page. */
export type MessagesFilter = Readonly<Record<string, string>>

/** Rows of one page; a list asks for the pages that are in sight. */
export const MESSAGES_PER_PAGE = 50

/** One page of messages, from 1 on. */
export const messagesQuery = (filter: MessagesFilter, page: number) =>
  queryOptions({
    queryKey: ['webmail', 'messages', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page: String(page), per_page: String(MESSAGES_PER_PAGE) })
      return sendMailbox<List<MessageItem>>('GET', `/api/mail/messages?${query}`, { signal })
    },
  })

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ['webmail', 'thread', id],
    queryFn: ({ signal }) => sendMailbox<Thread>('GET', `/api/mail/threads/${id}`, { signal }),
  })

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['webmail', 'message', id],
    queryFn: ({ signal }) => sendMailbox<Message>('GET', `/api/mail/messages/${id}`, { signal }),
  })
