import type { MessageItem } from '@stoa/mail-model/messages.ts'

/** The rows of an open conversation: messages, and runs of them collapsed to one line. */
export type Row =
  | { kind: 'message'; message: MessageItem; isOpen: boolean }
  | { kind: 'fold'; messages: readonly MessageItem[] }

/** Fewer folded lines than this are shown as they are. */
const MIN_FOLD = 3

/** The messages that are open when a conversation is gone to: the newest, the one asked for, and all that are unread. */
export const openAtFirst = (messages: readonly MessageItem[], askedId: string): ReadonlySet<string> => {
  const written = messages.filter(({ flags }) => !flags.draft)
  const newest = (written.length > 0 ? written : messages).at(-1)
  const unread = written.filter(({ flags }) => !flags.seen)
  return new Set([...(newest ? [newest.id] : []), askedId, ...unread.map(({ id }) => id)])
}

/** Messages as rows. Of many closed ones in a row all but the first and the last become one line. */
export const rowsOf = (
  messages: readonly MessageItem[],
  { open, isUnfolded }: { open: ReadonlySet<string>; isUnfolded: boolean },
): Row[] => {
  const rows: Row[] = []
  let closed: MessageItem[] = []
  const flush = () => {
    const inner = closed.slice(1, -1)
    if (isUnfolded || inner.length < MIN_FOLD) rows.push(...closed.map(closedRow))
    else
      rows.push(
        ...closed.slice(0, 1).map(closedRow),
        { kind: 'fold', messages: inner },
        ...closed.slice(-1).map(closedRow),
      )
    closed = []
  }
  for (const message of messages) {
    if (!open.has(message.id)) {
      closed.push(message)
      continue
    }
    flush()
    rows.push({ kind: 'message', message, isOpen: true })
  }
  flush()
  return rows
}

const closedRow = (message: MessageItem): Row => ({ kind: 'message', message, isOpen: false })

/** Messages of a conversation that are nowhere but in these folders are left out, unless there are no others. */
export const splitHidden = (
  messages: readonly MessageItem[],
  folders: ReadonlySet<string>,
): { shown: MessageItem[]; hidden: MessageItem[] } => {
  const isHidden = ({ folder_ids: ids }: MessageItem) => ids.length > 0 && ids.every((id) => folders.has(id))
  const shown = messages.filter((each) => !isHidden(each))
  return shown.length === 0 ? { shown: [...messages], hidden: [] } : { shown, hidden: messages.filter(isHidden) }
}

/** The messages that an action on the whole conversation is about: those in the folder of the one asked for. */
export const actionIds = (messages: readonly MessageItem[], askedId: string): string[] => {
  const folder = messages.find(({ id }) => id === askedId)?.folder_id
  const here = messages.filter(
    ({ id, folder_ids: ids }) => id === askedId || (folder !== undefined && ids.includes(folder)),
  )
  return here.map(({ id }) => id)
}

/** The message before or after one among those that can be gone to. */
export const step = (ids: readonly string[], current: string | undefined, by: 1 | -1): string | undefined => {
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at === -1) return by === 1 ? ids[0] : ids.at(-1)
  return ids[at + by]
}
