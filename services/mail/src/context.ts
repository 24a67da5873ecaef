import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Db } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { routeFor } from '@stoa/kit/http/route.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from './config.ts'
import type { Access, CredentialKind, Principal, TokenSigner } from './hosting/access/access.ts'
import type { Credentials } from './hosting/addresses/credentials.ts'
import type { LiveSignIns } from './hosting/addresses/live.ts'
import type { Hosting } from './hosting/domains/hosting.ts'
import type { PlanPrices } from './hosting/plans/offers.ts'
import type { PaymentProvider } from './panel/billing/provider.ts'
import type { Tables } from './tables.ts'

/** What every operation gets: the database, who asks, and the few things that are the same for all. */
export type Ctx = {
  readonly db: Db<Tables>
  readonly tx: Database<Tables>['tx']
  readonly principal: Principal
  readonly config: Config
  readonly log: Log
  readonly sessionTokens: TokenSigner
  readonly webmailTokens: TokenSigner
  readonly parts: SharedParts
  /** Null: nothing can be paid here. */
  readonly payments: PaymentProvider | null
  now(): Date
}

/** What the process has once, and what mail is read and sent with. */
export type SharedParts = {
  readonly config: Config
  readonly database: Database<Tables>
  readonly blobs: Blobs
  readonly bus: Bus
  readonly log: Log
  readonly clock: Clock
  readonly hosting: Hosting
  readonly credentials: Credentials
  readonly live: LiveSignIns
  /** Null: nothing can be paid here. */
  readonly payments: PaymentProvider | null
  readonly prices: PlanPrices
}

/** Declares a route of the mail service. */
export const route = routeFor<Ctx, CredentialKind, Access>()
