import type { Database, Db } from '@stoa/kit/db/database.ts'
import { routeFor } from '@stoa/kit/http/route.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Access, CredentialKind, Principal, TokenSigner } from './access/access.ts'
import type { Config } from './config.ts'
import type { Tables } from './tables.ts'

/** What every operation gets: the database, who asks, and the few things that are the same for all. */
export type Ctx = {
  readonly db: Db<Tables>
  readonly tx: Database<Tables>['tx']
  readonly principal: Principal
  readonly config: Config
  readonly log: Log
  readonly sessionTokens: TokenSigner
  now(): Date
}

/** Declares a route of the mail service. */
export const route = routeFor<Ctx, CredentialKind, Access>()
