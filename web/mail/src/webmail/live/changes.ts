import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'

/** What a stream told, as far as screens care; several events become one. */
export type Changes = { folders: ReadonlySet<string>; messages: boolean; submissions: boolean }

export const NOTHING: Changes = { folders: new Set(), messages: false, submissions: false }

export const addEvent = (changes: Changes, event: MailboxEvent): Changes => ({
  folders: new Set([...changes.folders, ...event.folders]),
  messages: changes.messages || event.messages_changed,
  submissions: changes.submissions || event.submissions_changed,
})

/** The parts of the cache that show it: second words of the keys. */
export const partsOf = ({ folders, messages, submissions }: Changes): readonly string[] => [
  ...(folders.size > 0 ? ['folders'] : []),
  ...(messages ? ['messages', 'thread'] : []),
  ...(submissions ? ['submissions'] : []),
]

/** Everything that a stream could have told while there was none. */
export const ALL_PARTS: readonly string[] = ['folders', 'messages', 'thread', 'submissions']

/** The data of an event; null when it is not one that we know. */
export const readEvent = (data: unknown): MailboxEvent | null => {
  try {
    const event: unknown = JSON.parse(String(data))
    return isMailboxEvent(event) ? event : null
  } catch {
    return null
  }
}

const isMailboxEvent = (value: unknown): value is MailboxEvent =>
  typeof value === 'object' &&
  value !== null &&
  'modseq' in value &&
  typeof value.modseq === 'number' &&
  'folders' in value &&
  Array.isArray(value.folders) &&
  value.folders.every((folder) => typeof folder === 'string') &&
  'messages_changed' in value &&
  typeof value.messages_changed === 'boolean' &&
  'submissions_changed' in value &&
  typeof value.submissions_changed === 'boolean'
