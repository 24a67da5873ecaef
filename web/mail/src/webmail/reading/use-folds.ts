import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useState } from 'react'
import { openAtFirst } from './conversation.ts'

export type Folds = {
  open: ReadonlySet<string>
  isUnfolded: boolean
  set: (id: string, isOpen: boolean) => void
  setAll: (isOpen: boolean) => void
  unfold: () => void
}

/** Which messages are open. What comes in while one reads opens by itself. */
export const useFolds = (messages: readonly MessageItem[], messageId: string): Folds => {
  const [open, setOpen] = useState(() => openAtFirst(messages, messageId))
  const [isUnfolded, setUnfolded] = useState(false)
  const [known, setKnown] = useState({ ids: new Set(messages.map(({ id }) => id)), messageId })
  const fresh = messages.filter(({ id }) => !known.ids.has(id))
  if (fresh.length > 0 || known.messageId !== messageId) {
    setKnown({ ids: new Set([...known.ids, ...fresh.map(({ id }) => id)]), messageId })
    const unread = fresh.filter(({ flags }) => !flags.draft && !flags.seen).map(({ id }) => id)
    setOpen(new Set([...open, ...unread, messageId]))
  }
  return {
    open,
    isUnfolded,
    unfold: () => setUnfolded(true),
    set: (id, isOpen) =>
      setOpen((before) => new Set(isOpen ? [...before, id] : [...before].filter((other) => other !== id))),
    setAll: (isOpen) => {
      setUnfolded(isOpen)
      setOpen(isOpen ? new Set(messages.filter(({ flags }) => !flags.draft).map(({ id }) => id)) : lastOf(messages))
    },
  }
}

const lastOf = (messages: readonly MessageItem[]): ReadonlySet<string> => {
  const last = messages.findLast(({ flags }) => !flags.draft)
  return new Set(last ? [last.id] : [])
}
