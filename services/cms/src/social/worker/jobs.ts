import { eachOnItsOwn, inBatches } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { Ctx, Services } from '../../context.ts'
import { contextFor } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import type { Task } from '../../task.ts'
import { withAccount } from '../accounts/accounts.ts'
import { networkOf } from '../networks/networks.ts'
import { notifyUpdated } from '../posts/posts.ts'
import { outgoingOf } from './outgoing.ts'
import { deleteExpiredRenditions, type LookTarget, saveLook, takeLooks } from './queries.ts'
import { SYSTEM } from './worker.ts'

const LOOKS_AT_ONCE = 20
const LOOK_MS = 60_000
/** Longer than all looks of a run take: what is still taken then was lost with its process. */
const LEASE_MS = 1.5 * LOOKS_AT_ONCE * LOOK_MS
const RENDITIONS_AT_ONCE = 500

/** Replaces addresses that were not known when a post went out. */
export const lookAgain = async (services: Services): Promise<void> => {
  const ctx = contextFor(services, SYSTEM)
  const now = ctx.now()
  const until = new Date(now.getTime() + LEASE_MS)
  await eachOnItsOwn(
    await ctx.tx((tx) => takeLooks(tx, { now, until, limit: LOOKS_AT_ONCE })),
    (target) => lookOnce(services, ctx, target),
    (err, { id }) => ctx.log.error({ err, targetId: id }, 'the address of a social post cannot be saved'),
  )
}

const lookOnce = async (services: Services, ctx: Ctx, target: LookTarget): Promise<void> => {
  const found = await lookFor(services, ctx, target).catch((error: unknown) => {
    ctx.log.warn({ err: error, targetId: target.id }, 'the address of a social post cannot be looked up')
    return null
  })
  await ctx.tx(async (tx) => {
    await saveLook(tx, target.id, { url: found, lookAgainAt: found === null ? nextLook(ctx, target) : null })
    if (found !== null) notifyUpdated(tx, target.postId)
  })
}

const lookFor = async (services: Services, ctx: Ctx, target: LookTarget): Promise<string | null> => {
  const network = networkOf(services, target.network)
  const look = network?.publisher.lookAgain
  if (!network || !look) return null
  const signal = AbortSignal.timeout(LOOK_MS)
  const outgoing = await outgoingOf(ctx, network, target)
  const posted = { remoteId: target.remoteId, url: target.url }
  return withAccount(services, target.accountId, signal, (reach) =>
    look.run({ ...reach, outgoing, progress: target.progress, save: async () => undefined, signal }, posted),
  )
}

const nextLook = (ctx: Ctx, { network, looks, postedAt }: LookTarget): Date | null => {
  const after = networkOf(ctx, network)?.publisher.lookAgain?.afterMs[looks + 1]
  return after === undefined ? null : new Date(postedAt.getTime() + after)
}

/** Forgets pictures whose address has ended; the sweep of the store removes their bytes. */
export const pruneRenditions = async (ctx: Pick<Ctx, 'tx' | 'now'>): Promise<void> => {
  const now = ctx.now()
  await inBatches<Tables>(ctx, RENDITIONS_AT_ONCE, (tx, limit) => deleteExpiredRenditions(tx, now, limit))
}

const look = defineJob({
  name: 'social.look-again',
  data: z.object({}),
  expireInSeconds: LEASE_MS / 1_000,
  retryLimit: 0,
})
const prune = defineJob({ name: 'social.prune', data: z.object({}), expireInSeconds: 600 })

export const socialTasks: readonly Task[] = [
  {
    job: look,
    register(jobs, services) {
      jobs.work(look, () => lookAgain(services))
      jobs.schedule(look, '* * * * *', {})
    },
  },
  {
    job: prune,
    register(jobs, services) {
      const ctx = contextFor(services, SYSTEM)
      jobs.work(prune, () => pruneRenditions(ctx))
      jobs.schedule(prune, '23 * * * *', {})
    },
  },
]
