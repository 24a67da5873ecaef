import type { Correspondent, MessageItem } from '@stoa/mail-model/messages.ts'
import type { Mailbox } from '../../formats/mime/mime.ts'
import type { ListedMessage } from '../../store/store.ts'

/** The length of previews in lists; the store keeps a little more. */
const MAX_PREVIEW = 200

/** A message as lists show it. `folderId` is the folder that they are of, if it is of one. */
export const messageJson = (listed: ListedMessage, folderId: string | null = null): MessageItem => {
  const { envelope, folderIds } = listed
  const keywords = new Set(listed.keywords)
  return {
    object: 'message',
    id: listed.id,
    thread_id: listed.threadId,
    folder_id: (folderId !== null && folderIds.includes(folderId) ? folderId : folderIds[0]) ?? '',
    folder_ids: folderIds,
    keywords: listed.keywords,
    subject: listed.subject,
    from: envelope.from.map(correspondentJson)[0] ?? null,
    to: envelope.to.map(correspondentJson),
    cc: envelope.cc.map(correspondentJson),
    date: momentOrNull(listed.sentAt),
    received_at: listed.receivedAt.toISOString(),
    preview: listed.preview.slice(0, MAX_PREVIEW).toWellFormed(),
    size_bytes: listed.size,
    flags: {
      seen: keywords.has('$seen'),
      flagged: keywords.has('$flagged'),
      answered: keywords.has('$answered'),
      draft: keywords.has('$draft'),
      forwarded: keywords.has('$forwarded'),
    },
    has_attachments: listed.hasAttachment,
    snoozed_until: momentOrNull(listed.snoozedUntil),
  }
}

export const correspondentJson = ({ name, email }: Mailbox): Correspondent => ({ name, email })

/** A sender may write any year; one that the API has no form for is as good as none. */
const momentOrNull = (date: Date | null): string | null => {
  const text = date?.toISOString() ?? null
  return text === null || /^[+-]/.test(text) ? null : text
}
