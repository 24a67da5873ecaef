import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { sendMailbox } from '../api.ts'
import { nameOf, subjectOf } from '../people.ts'
import { holdLock } from './tab-locks.ts'

/** More at once become one notification. */
const MAX_EACH = 3
const LOOK_AT = 10

type Note = { title: string; body: string; tag: string; messageId: string | null }

/** Messages of the inbox that came after `since`, newest first. */
export const newerThan = (messages: readonly MessageItem[], since: string): readonly MessageItem[] =>
  messages.filter(({ received_at }) => received_at > since)

/** Notifications for new messages: sender and subject of each, or just their number. */
export const notesOf = (messages: readonly MessageItem[], hasMore: boolean): readonly Note[] => {
  if (messages.length > MAX_EACH || hasMore) {
    const senders = [...new Set(messages.map(senderOf))]
    const named = senders.slice(0, MAX_EACH).join(', ')
    const title = hasMore
      ? `More than ${messages.length} new messages`
      : formatCount(messages.length, 'new message', 'new messages')
    return [
      { title, body: senders.length > MAX_EACH ? `${named} and others` : named, tag: 'stoa-mail', messageId: null },
    ]
  }
  return messages.map((message) => ({
    title: senderOf(message),
    body: subjectOf(message),
    tag: message.id,
    messageId: message.id,
  }))
}

const senderOf = ({ from }: MessageItem): string => (from ? nameOf(from) : 'Unknown sender')

type Notifier = { onInboxChange: () => void; close: () => void }

/** Notifies of new mail in the inbox while no tab is visible. Of several tabs, one does it. */
export const startNotifier = (inboxId: string, onOpen: (messageId: string | null) => void): Notifier => {
  const leaving = new AbortController()
  const { signal } = leaving
  let isChosen = false
  let since: string | undefined
  let work = Promise.resolve()
  const next = (action: () => Promise<void>) => {
    // A request that fails is made up for by the next change
    work = work.then(action).catch(() => undefined)
  }
  const look = async () => {
    const { data, total } = await newestUnread(inboxId, signal)
    const before = since
    since = data.reduce((latest, { received_at }) => (received_at > latest ? received_at : latest), since ?? '')
    if (before === undefined || signal.aborted || (await isAnyTabSeen())) return
    const fresh = newerThan(data, before)
    for (const note of notesOf(fresh, fresh.length === LOOK_AT && total > LOOK_AT)) show(note, onOpen)
  }
  void holdLock(`${LOCK}:notifier`, 'exclusive', signal, () => {
    isChosen = true
    next(look)
  })
  const stopSeen = holdWhileSeen()
  return {
    onInboxChange: () => {
      if (isChosen) next(look)
    },
    close: () => {
      leaving.abort()
      stopSeen()
    },
  }
}

const newestUnread = (inboxId: string, signal: AbortSignal): Promise<List<MessageItem>> => {
  const query = new URLSearchParams({ folder_id: inboxId, unread: '1', per_page: String(LOOK_AT) })
  return sendMailbox<List<MessageItem>>('GET', `/api/mail/messages?${query}`, { signal })
}

const show = ({ title, body, tag, messageId }: Note, onOpen: (messageId: string | null) => void): void => {
  try {
    const notification = new Notification(title, { body, tag })
    notification.addEventListener('click', () => {
      window.focus()
      notification.close()
      onOpen(messageId)
    })
  } catch {
    // Browsers of phones know the word and show none to a page
  }
}

const LOCK = 'stoa-mail'
const SEEN = `${LOCK}:seen`

/** Visible tabs share a lock, by which hidden ones detect them. */
const holdWhileSeen = (): (() => void) => {
  let held: AbortController | undefined
  const follow = () => {
    if (document.visibilityState === 'visible') {
      if (held) return
      held = new AbortController()
      void holdLock(SEEN, 'shared', held.signal, () => undefined)
    } else {
      held?.abort()
      held = undefined
    }
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    held?.abort()
  }
}

const isAnyTabSeen = async (): Promise<boolean> => {
  if (document.visibilityState === 'visible') return true
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === SEEN)
}
