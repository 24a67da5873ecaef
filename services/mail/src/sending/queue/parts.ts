import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../config.ts'
import type { DkimKey } from '../../formats/signing/signing.ts'
import type { Route } from '../../hosting/addresses/addresses.ts'
import type { QueueSource } from '../../hosting/enqueue/enqueue.ts'
import type { Tables } from '../../tables.ts'
import type { Resolver } from '../../wire/dns/dns.ts'
import type { SmtpTimeouts } from './smtp-connection.ts'

/** A message with the recipients of one destination and return path: one transaction of SMTP, which this process may work on until its lease ends. */
export type Claim = {
  messageId: string
  domain: string
  /** The fencing token: with another one in the row, the result is refused. */
  leaseToken: string
  /** Empty for the null sender. */
  returnPath: string
  bounceToken: string | null
  /** Whether mail for its domain is on hold. */
  isHeld: boolean
  /** Whether somebody sent it whose account may not send at present; what an account only passes on still leaves. */
  isSuspended: boolean
  recipients: readonly ClaimedRecipient[]
  message: ClaimedMessage
}

export type ClaimedRecipient = {
  ordinal: number
  address: string
  /** With this one. */
  attempt: number
  notify: readonly string[] | null
  orcpt: string | null
  isDelayReported: boolean
  isSuppressed: boolean
}

export type ClaimedMessage = {
  accountId: string | null
  addressId: string | null
  source: QueueSource
  blobKey: string
  prefix: Buffer
  /** The size of prefix and blob together. */
  size: number
  signingDomainId: string | null
  headerMessageId: string | null
  headerFrom: string | null
  subject: string | null
  needsUtf8: boolean
  needs8bit: boolean
  requiresTls: boolean
  envid: string | null
  ret: 'full' | 'hdrs' | null
  expiresAt: Date
  createdAt: Date
}

/** The result of one recipient in one attempt. */
export type AttemptResult =
  | { kind: 'delivered'; code: number; status: string; reply: string; where: 'here' | 'peer' | 'relay_without_dsn' }
  | {
      kind: 'temporary'
      code: number | null
      status: string
      reply: string
      /** Whether nothing can be delivered there at the moment, or only this. */
      isDestination: boolean
    }
  | {
      kind: 'permanent'
      code: number | null
      status: string
      reply: string
      /** The state is then bounced. */
      by: 'peer'
      /** Whether the address itself is no good: the reason to suppress it. */
      isAddress: boolean
    }
  /** The state is then failed. */
  | { kind: 'permanent'; code: null; status: string; reply: string; by: 'us' }
  | { kind: 'suppressed' }
  /** Not attempted: the destination is known not to answer, or it is on hold. */
  | { kind: 'waiting' }
  /** The owner of the instance took it out of the queue. */
  | { kind: 'dropped' }

/** How it was reached, or would have been. */
export type Path = { host: string | null; ip: string | null; policy: string | null; tls: string | null }

export type Result = { recipient: ClaimedRecipient; verdict: AttemptResult; path: Path; durationMs: number }

/** An outcome as others see it, once it is recorded. */
export type Outcome = {
  messageId: string
  accountId: string | null
  addressId: string | null
  source: QueueSource
  ordinal: number
  recipient: string
  state: 'delivered' | 'deferred' | 'bounced' | 'failed' | 'suppressed'
  code: number | null
  status: string | null
  reply: string | null
  attempt: number
  at: Date
}

/** Called in the transaction that writes them, so that what follows from an outcome is never lost or doubled. */
export type OnOutcome = (tx: Tx<Tables>, outcomes: readonly Outcome[]) => Promise<void>

/** Called in the transaction that takes messages to work, with those that are tried for the first time. */
export type OnFirstAttempt = (
  tx: Tx<Tables>,
  begun: readonly {
    messageId: string
    ordinal: number
    recipient: string
    accountId: string | null
    addressId: string | null
    source: QueueSource
    at: Date
  }[],
) => Promise<void>

export type LocalMail<R extends Route = Route> = {
  queueMessageId: string
  returnPath: string
  recipient: string
  route: R
  blob: { key: string; size: number }
  prefix: Buffer
  source: QueueSource
}

export type LocalAnswer = { ok: true } | { ok: false; code: number; status: string; text: string; permanent: boolean }

export type DeliverLocal = (input: LocalMail<Extract<Route, { kind: 'mailbox' }>>) => Promise<LocalAnswer>
/** For what comes to the service itself: reports of failures and of others. Without it, such mail goes out like any other. */
export type DeliverToService = (input: LocalMail<ServiceRoute>) => Promise<LocalAnswer>
export type ServiceRoute = Extract<Route, { kind: 'bounce' | 'srs' | 'reports' }>

export type QueueConfig = Pick<
  Config,
  'hostname' | 'mxHosts' | 'outboundPort' | 'relayUrl' | 'outboundAllowPrivate' | 'secret'
>

export type QueueParts = {
  database: Database<Tables>
  blobs: Blobs
  bus: Pick<Bus, 'subscribe' | 'connected'>
  config: QueueConfig
  resolver: Resolver
  log: Log
  clock: Clock
  deliverLocal: DeliverLocal
  deliverToService?: DeliverToService
  /** The simulated result of recipients that are for tests; null for all others. */
  simulate?: (recipient: ClaimedRecipient) => AttemptResult | null
  resolveRecipient: (recipient: string) => Promise<Route>
  signingKeyOf: (domainId: string) => Promise<DkimKey | null>
  onOutcome?: OnOutcome
  onFirstAttempt?: OnFirstAttempt
  tuning?: Partial<Tuning>
}

/** What differs on large machines and in tests. */
export type Tuning = {
  /** Messages at work that are quick; those that wait for slow peers do not count. */
  slots: number
  /** Messages at work for one destination. */
  perDestination: number
  leaseMs: number
  pollMs: number
  /** How long a stopping process waits for what is under way. */
  graceMs: number
  timeouts: SmtpTimeouts
  signingThreads: number | undefined
  /** PEM certificates trusted in addition to the usual authorities. */
  trustedCa: readonly string[] | undefined
  mtaStsPort: number
}
