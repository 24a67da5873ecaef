import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'

/** Everything that a stream could have reported while there was none: the second parts of cache keys. */
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
  'changed_folders' in value &&
  Array.isArray(value.changed_folders) &&
  'messages_changed' in value &&
  typeof value.messages_changed === 'boolean' &&
  'messages' in value &&
  (value.messages === null || isMessages(value.messages)) &&
  'submissions_changed' in value &&
  typeof value.submissions_changed === 'boolean' &&
  'scheduled' in value &&
  (value.scheduled === null || typeof value.scheduled === 'number')

const isMessages = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['changed', 'removed', 'threads'].every((name) => name in value && Array.isArray(Reflect.get(value, name)))
