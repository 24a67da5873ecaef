import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Semaphore } from '@stoa/kit/semaphore.ts'
import type { Config } from '../../config.ts'
import type { Authenticity, DnsLookup } from '../../formats/authenticity/authenticity.ts'
import type { KnownRoutes, Route } from '../../hosting/addresses/addresses.ts'
import type { KeptSettings } from '../../hosting/instance-settings/instance-settings.ts'
import type { RefusedRecipients } from '../../hosting/trace/trace.ts'
import type { ReadMessage } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import type { ScriptCache } from '../filters/filters.ts'
import type { Reputation, ReputationCheck } from '../reputation/reputation.ts'
import type { Reason, SpamText } from '../spam/spam.ts'
import type { DeliveryState } from './queries.ts'
import type { Receipts } from './receipts.ts'
import type { ReplayWatch } from './replays.ts'

export type ReceiveConfig = Pick<
  Config,
  | 'hostname'
  | 'secret'
  | 'maxMessageBytes'
  | 'rspamdUrl'
  | 'scannerUrl'
  | 'limitExempt'
  | 'environment'
  | 'arcTrustedSealers'
>

/** Services that receiving mail needs. */
export type ReceiveParts = {
  readonly database: Database<Tables>
  readonly blobs: Blobs
  readonly config: ReceiveConfig
  /** Looks names up as mailauth wants it. */
  readonly lookup: DnsLookup
  readonly settings: KeptSettings
  readonly routes: KnownRoutes
  readonly reputationOf: ReputationCheck
  readonly scripts: ScriptCache
  readonly receipts: Receipts
  readonly replays: ReplayWatch
  readonly refused: RefusedRecipients
  /** Messages that are too large to be kept in memory while they come are read back a few at a time. */
  readonly largeMessages: Semaphore
  readonly memory: MemoryBudget
  readonly log: Log
  readonly clock: Clock
}

/** How much of messages under way is in memory, over all connections. */
export type MemoryBudget = { take(bytes: number): boolean; give(bytes: number): void }

/** A message whose bytes are safe, and what was found out about it. */
export type Arrived = {
  readonly blob: { readonly key: string; readonly size: number }
  readonly bytes: Buffer
  readonly read: ReadMessage
  /** The hash of the received bytes, which recognizes a message that is sent again. */
  readonly hash: string
  /** Empty for the null sender. */
  readonly returnPath: string
  /** Null: it did not come from outside. */
  readonly peer: Peer | null
  readonly authenticity: Authenticity | null
  /** The hosted domain in whose name somebody else sent it. */
  readonly spoofedDomain: string | null
  readonly reputation: Reputation
  /** The input of the classifier, with words only for mailboxes that trained it; null when the message is not judged. */
  readonly spamText: ((needsWords: boolean) => SpamText) | null
  /** The verdict of an external filter. */
  readonly opinion: Reason | null
  readonly virusLevel: number | null
  readonly isUtf8: boolean
  readonly receivedAt: Date
  /** Fields that another part of the service put before it. */
  readonly prefix: Buffer
}

export type Peer = {
  readonly ip: string
  readonly helo: string
  readonly protocol: string
  readonly tls: { readonly protocol: string; readonly cipher: string } | null
  readonly sessionId: string
}

export type MailboxRoute = Extract<Route, { kind: 'mailbox' }>

/** One mailbox that a message is for. */
export type Delivery = {
  readonly route: MailboxRoute
  /** The address that the sender wrote. */
  readonly recipient: string
  /** Recognizes the same message when it is sent again. */
  readonly receiptHash: Buffer
  /** The state of the mailbox that was read before, and when. */
  readonly known?: { readonly state: DeliveryState; readonly at: Date }
}

/** The result of a message for one recipient. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /** A filter refuses it. */
  | { readonly kind: 'rejected'; readonly text: string }
  | { readonly kind: 'failed'; readonly code: number; readonly status: string; readonly text: string }
