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

/** What taking mail needs of the process. */
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
  /** Of the bytes as they came: distinguishes a message that is sent again from another one. */
  readonly hash: string
  /** Empty for the null sender. */
  readonly returnPath: string
  /** Null: it did not come from outside. */
  readonly peer: Peer | null
  readonly authenticity: Authenticity | null
  /** The hosted domain in whose name somebody else sent it. */
  readonly spoofedDomain: string | null
  readonly reputation: Reputation
  /** What the classifier reads in it, its words only for those who have taught it some; null when it is not judged. */
  readonly spamText: ((needsWords: boolean) => SpamText) | null
  /** What a judge outside thinks of it. */
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
  /** What makes this message the same one when it comes again. */
  readonly receiptHash: Buffer
  /** What is known of the mailbox already, and since when. */
  readonly known?: { readonly state: DeliveryState; readonly at: Date }
}

/** The result of a message for one recipient. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** A filter refuses it. */
  | { readonly kind: 'rejected'; readonly text: string }
  | { readonly kind: 'failed'; readonly code: number; readonly status: string; readonly text: string }
