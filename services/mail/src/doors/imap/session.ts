import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../config.ts'
import type { Credentials, LiveSignIns } from '../../hosting/addresses/addresses.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import type { SignIn } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import type { State } from './command.ts'
import type { DeltaCache } from './delta-cache.ts'
import type { FolderCache } from './folder-cache.ts'
import type { Output } from './output.ts'
import type { SequenceSet } from './parse/sequence-set.ts'
import type { Recents } from './recents.ts'
import type { FolderView } from './view.ts'
import type { Wakeups } from './wakeups.ts'
import type { WriteMailbox } from './writes.ts'

/** What the IMAP door shares in a process. */
export type ImapParts = {
  readonly database: Database<Tables>
  readonly blobs: Blobs
  readonly bus: Bus
  readonly log: Log
  readonly clock: Clock
  readonly credentials: Credentials
  readonly live: LiveSignIns
  readonly config: Pick<Config, 'hostname' | 'publicUrl' | 'maxMessageBytes' | 'imapMaxPerUser'>
}

/** State that all connections of the door share. */
export type ImapDoor = {
  readonly wakeups: Wakeups
  readonly recents: Recents
  readonly deltas: DeltaCache
  readonly folders: FolderCache
  readonly write: WriteMailbox
}

/** What a client may switch on (RFC 5161). QRESYNC includes CONDSTORE. */
export type Extension = 'CONDSTORE' | 'QRESYNC' | 'IMAP4REV2' | 'UTF8=ACCEPT'

/** One connection, as commands see it. */
export type ImapSession = {
  readonly parts: ImapParts
  readonly door: ImapDoor
  readonly ip: string
  state: State
  signIn: SignIn | null
  /** The mailboxes of the signed-in user: the own one first. Throws before sign-in. */
  accesses(): Promise<MailboxAccess[]>
  readonly enabled: Set<Extension>
  view: FolderView | null
  /** Replaces the usual unsolicited responses after NOTIFY (RFC 5465). */
  notifier: Notifier | null
  /** UIDs of the selected folder that `$` stands for. */
  savedSearch: SequenceSet
  /** What CAPABILITY lists at this moment. */
  capabilities(): string[]
  readonly out: Output
  /** Operations that only the connection itself can do. */
  readonly connection: ConnectionControl
}

export type Notifier = {
  report(options?: { mayExpunge: boolean }): Promise<void>
  close(): void
}

export type ConnectionControl = {
  /** Whether the connection is encrypted. */
  readonly isSecure: boolean
  readonly mayStartTls: boolean
  readonly isCompressed: boolean
  /** Sends a continuation request; gives the client's line. */
  ask(prompt: string): Promise<string>
  /** Waits for the next line of the client; meanwhile `report` runs whenever one of the mailboxes may have changed. */
  idle(options: { addressIds: readonly string[]; report: () => Promise<void> }): Promise<string>
  /** Done when the tagged answer has been sent. */
  afterAnswer(action: 'startTls' | 'compress'): void
  /** Lets the notifier send as soon as no command runs. */
  wake(): void
  /** Counts a wrong password; true when there were enough. */
  failed(): boolean
  /** Counts the connection for the signed-in user; false when there are too many. */
  enter(signIn: SignIn): Promise<boolean>
  /** Nobody is signed in any more. */
  leave(): void
}

/** Names and quoted strings are UTF-8 (RFC 6855, RFC 9051 §5.1). */
export const isUtf8 = ({ enabled }: ImapSession): boolean => enabled.has('IMAP4REV2') || enabled.has('UTF8=ACCEPT')

/** MODSEQ goes with every unsolicited FETCH (RFC 7162 §3.1). */
export const hasCondstore = ({ enabled }: ImapSession): boolean => enabled.has('CONDSTORE') || enabled.has('QRESYNC')
