import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import type { MessageFilterJson } from '../actions/target.ts'
import type { MessagesFilter } from '../queries.ts'

/** Narrows a list to what one looks for most. */
export type Narrow = '' | 'unread' | 'flagged' | 'files'

export const narrows: readonly { value: Narrow; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'flagged', label: 'Flagged' },
  { value: 'files', label: 'With attachments' },
]

/** Orders of a list; the first is that of every list. */
export const orders = [
  { value: 'newest', label: 'Newest first', sort: 'received_at', direction: 'desc' },
  { value: 'oldest', label: 'Oldest first', sort: 'received_at', direction: 'asc' },
  { value: 'sender', label: 'Sender', sort: 'from', direction: 'asc' },
  { value: 'subject', label: 'Subject', sort: 'subject', direction: 'asc' },
  { value: 'largest', label: 'Largest first', sort: 'size_bytes', direction: 'desc' },
] as const
export type Order = (typeof orders)[number]['value']

/** How a list is looked at: all of it is in the address but the conversations, which are a setting. */
export type ListView = { narrow: Narrow; order: Order; conversations: boolean }

export const readView = (
  get: (name: string) => string,
  { conversations }: Pick<MailboxSettings, 'conversations'>,
): ListView => ({
  narrow: narrows.find(({ value }) => value === get('show'))?.value ?? '',
  order: orders.find(({ value }) => value === get('sort'))?.value ?? 'newest',
  conversations,
})

/** The query of a list: what fits, narrowed and in order. */
export const listFilter = (base: MessagesFilter, { narrow, order, conversations }: ListView): MessagesFilter => {
  const { sort, direction } = orders.find(({ value }) => value === order) ?? orders[0]
  return {
    ...base,
    ...(narrow === 'unread' && { unread: '1' }),
    ...(narrow === 'flagged' && { flagged: '1' }),
    ...(narrow === 'files' && { has_attachments: '1' }),
    ...(order !== 'newest' && { sort, direction }),
    ...(conversations && { collapse_threads: '1' }),
  }
}

/** The filter for actions on all messages of a list, limited to those received before a time. */
export const actionFilter = (base: MessagesFilter, narrow: Narrow, before?: string): MessageFilterJson => ({
  ...(base.folder_id !== undefined && { folder_id: base.folder_id }),
  ...(base.search !== undefined && { search: base.search }),
  ...(narrow === 'unread' && { unread: true }),
  ...(narrow === 'flagged' && { flagged: true }),
  ...(narrow === 'files' && { has_attachments: true }),
  ...(before !== undefined && { before }),
})

/**
 * The moment after the newest message that the list has. In other orders that one is not in sight, and the clock of
 * this browser says it.
 */
export const afterNewest = (order: Order, first: Pick<MessageItem, 'received_at'> | undefined, now: Date): string =>
  new Date((order === 'newest' && first ? Date.parse(first.received_at) : now.getTime()) + 1).toISOString()
