import type { Correspondent, Message } from '@stoa/mail-model/messages.ts'
import { catchKeys } from './type-ahead.ts'

/** The kind of message to write. */
export type ComposeIntent =
  | {
      kind: 'new'
      to?: readonly Correspondent[]
      cc?: readonly Correspondent[]
      bcc?: readonly Correspondent[]
      subject?: string
      text?: string
    }
  /** A link to an address: `mailto:ann@example.org?subject=Hello`. */
  | { kind: 'mailto'; href: string }
  /** `isInline`: below the message, where there is room. */
  | { kind: 'reply' | 'reply-all' | 'forward'; message: Message; isInline?: boolean }
  /** A saved draft, by the id of its message. */
  | { kind: 'draft'; id: string }

/** Opens a window to write in. It stays while folders and messages are gone to. */
export const compose = (intent: ComposeIntent): void => {
  catchKeys()
  receiveIntent(intent)
}

/** The host of the windows listens; what is asked for before it is there waits for it. */
export const onCompose = (listener: (intent: ComposeIntent) => void): (() => void) => {
  receiveIntent = listener
  for (const intent of waiting.splice(0)) listener(intent)
  return () => {
    if (receiveIntent === listener) receiveIntent = wait
  }
}

const waiting: ComposeIntent[] = []
const wait = (intent: ComposeIntent): void => void waiting.push(intent)
let receiveIntent = wait

/** Saves what is being written, before its writer signs out. False when something of it could not be saved. */
export const saveWriting = (): Promise<boolean> => saveAll()

/** The windows say how they are saved; until there are any, nothing is being written. */
export const onSaveWriting = (listener: () => Promise<boolean>): (() => void) => {
  saveAll = listener
  return () => {
    if (saveAll === listener) saveAll = nothingWritten
  }
}

const nothingWritten = async (): Promise<boolean> => true
let saveAll = nothingWritten
