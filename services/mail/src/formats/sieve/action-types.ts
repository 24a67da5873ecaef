import type { MessageEdits } from './message.ts'

/** Where a message, or a copy of one that is sent, is stored. */
export type Filing = {
  mailbox: string
  /** IMAP flags, or null when the script says nothing of them. */
  flags: string[] | null
  /** Make the mailbox when there is none (RFC 5490). */
  create: boolean
  /** Prefer the mailbox of this special use (RFC 8579), as in `\Junk`. */
  specialUse: string | null
  /** Prefer the mailbox of this id (RFC 9042). */
  mailboxId: string | null
}

/** What a script asks for. `edits` says which version of the message the action takes. */
export type SieveAction =
  | { kind: 'keep'; implicit: boolean; flags: string[] | null; edits: MessageEdits }
  | ({ kind: 'fileinto'; copy: boolean; edits: MessageEdits } & Filing)
  | { kind: 'redirect'; address: string; copy: boolean; edits: MessageEdits }
  | { kind: 'discard' }
  | { kind: 'reject'; reason: string; quietly: boolean }
  | VacationAction
  | NotifyAction
  | ExtraAction

export type VacationAction = {
  kind: 'vacation'
  reason: string
  /** At least this long between two replies to the same person; 0 allows a reply to every message. */
  seconds: number
  subject: string | null
  from: string | null
  /** Further addresses of the owner. */
  addresses: string[]
  /** The reason is a MIME part with its header. */
  mime: boolean
  /** Replies of the same handle are counted together. */
  handle: string
  fcc: Filing | null
}

export type NotifyAction = {
  kind: 'notify'
  method: string
  message: string | null
  from: string | null
  importance: 1 | 2 | 3
  options: string[]
  fcc: Filing | null
}

/** An action of a command that was registered from outside. */
export type ExtraAction = { kind: 'extra'; name: string; details: Readonly<Record<string, unknown>> }

export const filingInto = (mailbox: string): Filing => ({
  mailbox,
  flags: null,
  create: false,
  specialUse: null,
  mailboxId: null,
})
