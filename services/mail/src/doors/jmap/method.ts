import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../config.ts'
import type { LiveSignIns } from '../../hosting/addresses/addresses.ts'
import type { Hosting } from '../../hosting/domains/domains.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import type { SignIn } from '../../principal.ts'
import type { MailDatabase } from '../../store/store.ts'
import type { OpenedMessage } from './blobs.ts'
import type { Budget } from './budget.ts'
import type { ShownCache } from './email/shown-cache.ts'

/** Services that all JMAP requests of a process share. */
export type JmapParts = {
  readonly database: MailDatabase
  readonly blobs: Blobs
  readonly bus: Bus
  readonly log: Log
  readonly clock: Clock
  readonly config: Config
  readonly hosting: Hosting
  readonly live: LiveSignIns
}

/** The arguments of a method, and what it gives: a JSON object. */
export type Args = Record<string, unknown>

/** One method call of a request. */
export type JmapCall = {
  readonly parts: JmapParts
  /** The caller. */
  readonly signIn: SignIn
  readonly using: ReadonlySet<string>
  /** Creation ids of the whole request, without the `#`. A /set adds what it creates. */
  readonly createdIds: Map<string, string>
  /** For whatever grows with the number and the size of messages. */
  readonly budget: Budget
  readonly shown: ShownCache
  /** The message whose parts this call looked at last: many ids are of parts of the same one. */
  readonly opened: OpenedMessage
  /** The mailbox that `accountId` names; accountNotFound or accountReadOnly as MethodError. */
  account(args: Args, wants?: 'write' | 'manage'): Promise<MailboxAccess>
  /** Looks up any account ID; null if there is no such account. */
  findAccount(accountId: string): Promise<MailboxAccess | null>
  /** Runs another method after this one; its response follows with the same call id (RFC 8621 §7.5). */
  andThen(name: string, args: Args): Promise<void>
}

export type JmapMethod = {
  readonly name: string
  /** The capability that a request must list in `using`. */
  readonly capability: string
  run(call: JmapCall, args: Args): Promise<Args>
}

/** Why a method was not run, or not to its end: `["error", {type, description, …}, id]` (RFC 8620 §3.6.2). */
export class MethodError extends Error {
  readonly type: string
  readonly more: Args

  constructor(type: string, description?: string, more: Args = {}) {
    super(description ?? type)
    this.name = 'MethodError'
    this.type = type
    this.more = description === undefined ? more : { description, ...more }
  }
}

export const failMethod = (type: string, description?: string, more: Args = {}): never => {
  throw new MethodError(type, description, more)
}

export const CAPABILITIES = {
  core: 'urn:ietf:params:jmap:core',
  mail: 'urn:ietf:params:jmap:mail',
  submission: 'urn:ietf:params:jmap:submission',
  vacation: 'urn:ietf:params:jmap:vacationresponse',
  blob: 'urn:ietf:params:jmap:blob',
  quota: 'urn:ietf:params:jmap:quota',
  sieve: 'urn:ietf:params:jmap:sieve',
  websocket: 'urn:ietf:params:jmap:websocket',
} as const
