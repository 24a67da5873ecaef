import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Jobs } from '@stoa/kit/jobs/jobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from './config.ts'
import type { Principal } from './principal.ts'
import type { Tables } from './tables.ts'

export type CmsDb = Db<Tables>
export type CmsTx = Tx<Tables>

/**
 * What slices hold in the process, besides what all of them share. A slice adds its own member where it stands, with
 * `declare module`; `app.ts` opens it. So this file knows no slice.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the members stand in the slices
export interface Ports {}

type Shared = {
  readonly config: Config
  readonly log: Log
  /** This start of the service; what belongs to it ends with it. */
  readonly bootId: string
  /** Sub-key of SECRET under which session tokens are stored. */
  readonly sessionKey: Buffer
}

/** What the process holds, made once. */
export type Services = Shared &
  Ports & {
    readonly database: Database<Tables>
    readonly clock: Clock
    /** Publishes committed changes, of this process and of the others. */
    readonly bus: Bus
    readonly jobs: Jobs
  }

/** What every operation gets first: one request's reach into the services, and who asks. */
export type Ctx<P = Principal> = Shared &
  Ports & {
    readonly db: CmsDb
    /** Writes; repeated whole on a serialization failure, so nothing but database work belongs inside. */
    readonly tx: Database<Tables>['tx']
    readonly principal: P
    readonly jobs: Pick<Jobs, 'enqueue'>
    readonly bus: Pick<Bus, 'position'>
    now(): Date
  }

export const contextFor = <P>(services: Services, principal: P): Ctx<P> => ({
  ...services,
  db: services.database.db,
  tx: services.database.tx,
  principal,
  now: () => services.clock.now(),
})

/**
 * The same context, whose first transaction also does `work` before it commits: both happen or neither. An operation
 * that finds nothing to write opens none: see `isDone`.
 */
export const alongside = <P>(
  ctx: Ctx<P>,
  work: (tx: CmsTx) => Promise<void>,
): { ctx: Ctx<P>; isDone: () => boolean } => {
  let done = false
  const tx: Ctx<P>['tx'] = async (write) => {
    if (done) return ctx.tx(write)
    const written = await ctx.tx(async (opened) => {
      const result = await write(opened)
      await work(opened)
      return result
    })
    done = true
    return written
  }
  return { ctx: { ...ctx, tx }, isDone: () => done }
}
