import { eachOnItsOwn } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { pruneOAuthStates } from '@stoa/kit/oauth/state.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { defineTask, type Task } from '../../task.ts'
import { getApp } from '../apps/apps.ts'
import { LineCut, type Network, NetworkFailure } from '../networks/networks.ts'
import { type AccountKey, type AccountRow, accountsToProbe, accountsToRenew, findAccount } from './queries.ts'
import { canRenew, probe, renew } from './reach.ts'

const DAY_MS = 86_400_000
/** Whichever comes first: a failing renewal then has days left to be noticed. */
const RENEW_BEFORE_MS = 7 * DAY_MS
const RENEW_AFTER_SHARE = 0.8
/** Instagram refuses to renew tokens on their first day. */
const YOUNGEST_MS = DAY_MS

const renewTokens = defineJob({ name: 'social.renew-tokens', data: z.object({}), expireInSeconds: 3_600 })
const probeTokens = defineJob({ name: 'social.probe-tokens', data: z.object({}), expireInSeconds: 3_600 })
const pruneStates = defineJob({ name: 'social.prune-states', data: z.object({}), expireInSeconds: 600 })

export const accountTasks: readonly Task[] = [
  defineTask(renewTokens, (ctx, { signal }) => renewAll(ctx, signal), {
    schedule: { cron: '23 */6 * * *', data: {} },
  }),
  defineTask(probeTokens, (ctx, { signal }) => probeAll(ctx, signal), { schedule: { cron: '11 4 * * *', data: {} } }),
  defineTask(pruneStates, (ctx, { signal }) => pruneAll(ctx, signal), { schedule: { cron: '47 * * * *', data: {} } }),
]

/** Renews tokens long before they end, one after the other: the networks are in no hurry. */
export const renewAll = async (ctx: Ctx, signal: AbortSignal): Promise<void> => {
  const now = ctx.now()
  const early = networksWhere(ctx, ({ refresh }) => refresh?.when === 'early')
  const keys = await accountsToRenew(ctx.db, early, {
    now,
    endsBefore: new Date(now.getTime() + RENEW_BEFORE_MS),
    share: RENEW_AFTER_SHARE,
    newestAt: new Date(now.getTime() - YOUNGEST_MS),
  })
  const work = async (account: AccountRow) => {
    if (canRenew(ctx, account, await getApp(ctx, account.network))) await renew(ctx, account, signal)
  }
  await eachActive(ctx, keys, signal, work, 'the tokens of a social account could not be renewed')
}

/** Finds connections that ended without a word before a post fails for it. */
export const probeAll = async (ctx: Ctx, signal: AbortSignal): Promise<void> => {
  const probed = networksWhere(ctx, (network) => network.probe !== undefined)
  const keys = await accountsToProbe(ctx.db, probed)
  const work = (account: AccountRow) => probe(ctx, account, signal)
  await eachActive(ctx, keys, signal, work, 'a social account could not be checked')
}

const networksWhere = ({ socialNetworks }: Ctx, isWanted: (network: Network) => boolean): string[] =>
  Object.entries(socialNetworks).flatMap(([name, network]) => (isWanted(network) ? [name] : []))

/** An account that fails is retried in the next run, and does not hold up the others. */
const eachActive = async (
  ctx: Ctx,
  keys: readonly AccountKey[],
  signal: AbortSignal,
  work: (account: AccountRow) => Promise<unknown>,
  failure: string,
): Promise<void> => {
  await eachOnItsOwn(
    keys,
    async ({ id }) => {
      if (signal.aborted) return
      const account = await findAccount(ctx.db, id)
      if (account?.status === 'active') await work(account)
    },
    (error, { id, network }) => {
      const isOfNetwork = error instanceof NetworkFailure || error instanceof LineCut
      if (isOfNetwork || signal.aborted) ctx.log.warn({ accountId: id, network }, failure)
      else ctx.log.error({ err: error, accountId: id, network }, failure)
    },
  )
}

const pruneAll = async (ctx: Ctx, signal: AbortSignal): Promise<void> => {
  for (let hasMore = true; hasMore && !signal.aborted; )
    ({ hasMore } = await ctx.tx((tx) => pruneOAuthStates(tx, ctx.now())))
}
