import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Db } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { routeFor } from '@stoa/kit/http/route.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from './config.ts'
import type { Access, CredentialKind, Principal } from './principal.ts'
import type { Tables } from './tables.ts'

/**
 * What slices hold in the process, besides what all of them share. A slice adds its own member where it stands, with
 * `declare module`; `engine.ts` opens it. So this file knows no slice.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the members stand in the slices
export interface Ports {}

/** What the process has once, and what mail is read and sent with. */
export type SharedParts = Ports & {
  readonly config: Config
  readonly database: Database<Tables>
  readonly blobs: Blobs
  readonly bus: Bus
  readonly log: Log
  readonly clock: Clock
}

/** Tokens that prove themselves before the database is queried, and that are records there as well. */
export type TokenSigner = {
  /** A token for a cookie: what the browser keeps, and what the database keeps of it. */
  issue(): { value: string; hash: Buffer }
  /** The hash to look up, or null when this value was not issued with our key. */
  read(value: string | undefined): Buffer | null
}

/** What every operation gets: the database, the caller, and the few things that are the same for all. */
export type Ctx = {
  readonly db: Db<Tables>
  readonly tx: Database<Tables>['tx']
  readonly principal: Principal
  readonly config: Config
  readonly log: Log
  readonly sessionTokens: TokenSigner
  readonly webmailTokens: TokenSigner
  readonly parts: SharedParts
  now(): Date
}

/** Declares a route of the mail service. */
export const route = routeFor<Ctx, CredentialKind, Access>()
