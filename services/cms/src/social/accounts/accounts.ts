import type { CmsDb, CmsTx, Ctx, Services } from '../../context.ts'
import { contextFor } from '../../context.ts'
import { fail } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { getApp, isReady, listAppStates, pauseStored, reachOf } from '../apps/apps.ts'
import { type AccountReach, LineCut, NetworkFailure } from '../networks/networks.ts'
import { type AccountRow, findAccounts, lockAccount, markDisconnected, pauseAllOf, pauseOne } from './queries.ts'
import { endpointsFor, openTokens, reachAccount } from './reach.ts'

export { type Attention, attentionOf } from './attention.ts'

/** The parts of an account that posts to it need. */
export type TargetAccount = Pick<
  AccountRow,
  'id' | 'network' | 'name' | 'handle' | 'avatarUrl' | 'status' | 'statusReason' | 'capabilities' | 'pausedUntil'
> & {
  /** False while its network is switched off. */
  isNetworkEnabled: boolean
}

/** Long enough for a network to receive it, short enough for a person to wait. */
const REVOKE_TIMEOUT_MS = 5_000

/** For workers: see `reachAccount`. */
export const withAccount = <T>(
  services: Services,
  accountId: string,
  signal: AbortSignal,
  run: (reach: AccountReach) => Promise<T>,
): Promise<T> => reachAccount(contextFor(services, SYSTEM), accountId, signal, run)

const SYSTEM = { kind: 'system', name: 'social' } as const

/** In no particular order; accounts that there are not are left out. */
export const targetAccounts = async (db: CmsDb, ids: readonly string[]): Promise<TargetAccount[]> => {
  if (ids.length === 0) return []
  const [accounts, apps] = await Promise.all([findAccounts(db, ids), listAppStates(db)])
  return accounts.map((account) => {
    const app = apps.find(({ network }) => network === account.network)
    const pauses = [account.pausedUntil, app?.pausedUntil ?? null].filter((until) => until !== null)
    return {
      id: account.id,
      network: account.network,
      name: account.name,
      handle: account.handle,
      avatarUrl: account.avatarUrl,
      status: account.status,
      statusReason: account.statusReason,
      capabilities: account.capabilities,
      pausedUntil: pauses.length === 0 ? null : new Date(Math.max(...pauses.map((until) => until.getTime()))),
      isNetworkEnabled: app?.enabled ?? true,
    }
  })
}

/** A limit of the account was reached: nothing goes out before `until`. */
export const pauseAccount = (tx: CmsTx, accountId: string, until: Date): Promise<void> => pauseOne(tx, accountId, until)

/** A limit of the app was reached: all its accounts wait, and those that are connected meanwhile. */
export const pauseApp = async (tx: CmsTx, network: string, until: Date): Promise<void> => {
  await pauseStored(tx, network, until)
  await pauseAllOf(tx, network, until)
}

/**
 * Deletes the tokens of an account. What it sent stays; its pending posts fail. The network is asked to revoke the
 * tokens afterwards, if it supports that.
 */
export const disconnect = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> => {
  const account = await ctx.tx(async (tx) => {
    const before = await lockAccount(tx, id)
    if (before === null || before.status === 'disconnected') return fail('NOT_FOUND')
    await refuseOtherVersion(wanted, before, async () => null)
    await markDisconnected(tx, id, ctx.now())
    await recordChange(ctx, tx, {
      action: 'social.account.disconnected',
      target: { kind: 'social-account', id, label: before.name },
    })
    return before
  })
  await revoke(ctx, account)
}

const revoke = async (ctx: Ctx, account: AccountRow): Promise<void> => {
  try {
    const app = await getApp(ctx, account.network)
    if (!app.definition.revoke || !isReady(app) || app.clientId !== account.clientId) return
    const reach = reachOf(ctx, app, AbortSignal.timeout(REVOKE_TIMEOUT_MS), endpointsFor(account, app))
    await app.definition.revoke(reach, openTokens(ctx, account))
  } catch (error) {
    const reason = error instanceof NetworkFailure || error instanceof LineCut ? error.message : 'unexpected'
    if (reason === 'unexpected') ctx.log.error({ err: error }, 'tokens could not be revoked')
    else ctx.log.info({ network: account.network, reason }, 'the network could not be asked to revoke the tokens')
  }
}
