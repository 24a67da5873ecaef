import { defineJob } from '@stoa/kit/jobs/define.ts'
import { pruneOAuthStates } from '@stoa/kit/oauth/state.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { defineTask, type Task } from '../../task.ts'
import { getApp } from '../apps/apps.ts'
import { LineCut, NetworkFailure } from '../networks/networks.ts'
import { accountsToRenew, findAccount, listLiveAccounts } from './queries.ts'
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
  const early = Object.entries(ctx.socialNetworks).filter(([, { refresh }]) => refresh?.when === 'early')
  const now = ctx.now()
  const ids = await accountsToRenew(
    ctx.db,
    early.map(([name]) => name),
    {
      now,
      endsBefore: new Date(now.getTime() + RENEW_BEFORE_MS),
      share: RENEW_AFTER_SHARE,
      newestAt: new Date(now.getTime() - YOUNGEST_MS),
    },
  )
  for (const id of ids) {
    if (signal.aborted) return
    await renewOne(ctx, id, signal)
  }
}

/** One that fails is tried again by the next run, and keeps no other from its turn. */
const renewOne = async (ctx: Ctx, id: string, signal: AbortSignal): Promise<void> => {
  const account = await findAccount(ctx.db, id)
  if (account === null || account.status !== 'active') return
  if (!canRenew(ctx, account, await getApp(ctx, account.network))) return
  try {
    await renew(ctx, account, signal)
  } catch (error) {
    if (!(error instanceof NetworkFailure || error instanceof LineCut)) throw error
    ctx.log.warn({ accountId: id, network: account.network }, 'the tokens of a social account could not be renewed')
  }
}

/** Finds connections that ended without a word before a post fails for it. */
export const probeAll = async (ctx: Ctx, signal: AbortSignal): Promise<void> => {
  for (const account of await listLiveAccounts(ctx.db)) {
    if (signal.aborted) return
    if (account.status !== 'active' || !ctx.socialNetworks[account.network]?.probe) continue
    try {
      await probe(ctx, account, signal)
    } catch (error) {
      if (!(error instanceof NetworkFailure || error instanceof LineCut)) throw error
      ctx.log.warn({ accountId: account.id, network: account.network }, 'a social account could not be checked')
    }
  }
}

const pruneAll = async (ctx: Ctx, signal: AbortSignal): Promise<void> => {
  for (let hasMore = true; hasMore && !signal.aborted; )
    ({ hasMore } = await ctx.tx((tx) => pruneOAuthStates(tx, ctx.now())))
}
