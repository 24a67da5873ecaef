import type { VisualDefinitions } from '@stoa/cms-model/visual.ts'
import type { WebsiteManifest } from '@stoa/cms-model/website.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Jobs } from '@stoa/kit/jobs/jobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from './config.ts'
import type { MediaStore } from './content/media/store.ts'
import type { Principal } from './principal.ts'
import type { Delivery } from './site/delivery/state.ts'
import type { WebhookSender } from './site/webhooks/sender.ts'
import type { Tables } from './tables.ts'

export type CmsDb = Db<Tables>
export type CmsTx = Tx<Tables>

/** What the process holds, made once. */
export type Services = {
  readonly database: Database<Tables>
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** This start of the service; what belongs to it ends with it. */
  readonly bootId: string
  /** Sub-key of SECRET under which session tokens are stored. */
  readonly sessionKey: Buffer
  /** Tells committed changes, of this process and of the others. */
  readonly bus: Bus
  readonly jobs: Jobs
  readonly webhooks: WebhookSender
  readonly media: MediaStore
  /** What delivery holds in memory. */
  readonly delivery: Delivery
  /** What the host declared about its pages, by content type; empty without a host. */
  readonly visual: VisualDefinitions
  /** What the host declared about the parts that its pages share. */
  readonly website: WebsiteManifest | null
}

/** What every operation gets first: one request's reach into the services, and who asks. */
export type Ctx<P = Principal> = {
  readonly db: CmsDb
  /** Writes; repeated whole on a serialization failure, so nothing but database work belongs inside. */
  readonly tx: Database<Tables>['tx']
  readonly principal: P
  readonly config: Config
  readonly log: Log
  readonly bootId: string
  readonly sessionKey: Buffer
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly webhooks: WebhookSender
  readonly media: MediaStore
  readonly delivery: Delivery
  readonly visual: VisualDefinitions
  readonly website: WebsiteManifest | null
  now(): Date
}

export const contextFor = <P>(services: Services, principal: P): Ctx<P> => ({
  db: services.database.db,
  tx: services.database.tx,
  principal,
  config: services.config,
  log: services.log,
  bootId: services.bootId,
  sessionKey: services.sessionKey,
  jobs: services.jobs,
  webhooks: services.webhooks,
  media: services.media,
  delivery: services.delivery,
  visual: services.visual,
  website: services.website,
  now: () => services.clock.now(),
})
