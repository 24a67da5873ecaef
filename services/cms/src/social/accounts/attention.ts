import type { Ctx } from '../../context.ts'
import { type App, isVersionEnding, listApps, versionEndOf } from '../apps/apps.ts'
import { type AccountRow, listLiveAccounts } from './queries.ts'
import { canRenew } from './reach.ts'

/** A connection that somebody has to look after. */
export type Attention = { accountId: string; network: string; reason: string; since: Date }

const WARN_BEFORE_END_MS = 7 * 86_400_000

/** The most urgent reason of each account that has one, the oldest first. */
export const attentionOf = async (
  ctx: Pick<Ctx, 'db' | 'now' | 'config' | 'socialNetworks'>,
  now: Date = ctx.now(),
): Promise<Attention[]> => {
  const [accounts, apps] = await Promise.all([listLiveAccounts(ctx.db), listApps(ctx)])
  const found = accounts.flatMap((account) => {
    const app = apps.find(({ network }) => network === account.network)
    const reason = app && reasonOf(ctx, account, app, now)
    return reason ? [{ accountId: account.id, network: account.network, ...reason }] : []
  })
  return found.sort((a, b) => a.since.getTime() - b.since.getTime())
}

const reasonOf = (
  ctx: Pick<Ctx, 'now'>,
  account: AccountRow,
  app: App,
  now: Date,
): { reason: string; since: Date } | null => {
  const { accessExpiresAt: end, missingScopes } = account
  if (account.status === 'needs_reconnect')
    return { reason: account.statusReason ?? 'Connect this account again.', since: account.statusSince }
  if (app.version !== null && !app.enabled)
    return { reason: `${app.definition.label} is turned off in the settings.`, since: account.statusSince }
  if (end !== null && end.getTime() - now.getTime() <= WARN_BEFORE_END_MS && !renewsByItself(ctx, account, app))
    return { reason: endText(end, now), since: new Date(end.getTime() - WARN_BEFORE_END_MS) }
  if (account.statusReason !== null) return { reason: account.statusReason, since: account.updatedAt }
  if (missingScopes.length > 0)
    return { reason: `Missing permissions: ${missingScopes.join(', ')}.`, since: account.connectedAt }
  return versionReason(app, account, now)
}

/** Tokens that a job renews are of no concern while it can. */
const renewsByItself = (ctx: Pick<Ctx, 'now'>, account: AccountRow, app: App): boolean =>
  account.statusReason === null && canRenew(ctx, account, app)

const endText = (end: Date, now: Date): string =>
  end <= now
    ? 'Access has expired. Connect this account again.'
    : `Access expires on ${end.toISOString().slice(0, 10)}. Connect this account again.`

const versionReason = (app: App, account: AccountRow, now: Date): { reason: string; since: Date } | null => {
  const end = versionEndOf(app)
  if (end === null || !isVersionEnding(app, now)) return null
  const { label } = app.definition
  const day = end.toISOString().slice(0, 10)
  return {
    reason: `Version ${app.endpoints.apiVersion} of the ${label} API ends on ${day}.`,
    since: account.connectedAt,
  }
}
