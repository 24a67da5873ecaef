import type { SocialAccount, SocialAccounts, SocialNetwork, SocialNetworks } from '@stoa/cms-model/social.ts'
import type { Ctx } from '../../context.ts'
import { type App, isReady, listApps, warningsOf } from '../apps/apps.ts'
import { type Limits, LineCut, NetworkFailure } from '../networks/networks.ts'
import { type AccountRow, claimCapabilities, listLiveAccounts, saveCapabilities } from './queries.ts'
import { reachAccount } from './reach.ts'

const CAPABILITIES_LIFE_MS = 10 * 60_000
/** The composer waits for it; what is stored will do. */
const CAPABILITIES_TIMEOUT_MS = 4_000
/** A list of accounts must not become a flood of calls. */
const MAX_ASKED_AT_ONCE = 6

export const listAccounts = async (ctx: Ctx): Promise<SocialAccounts> => {
  const [apps, accounts] = await Promise.all([listApps(ctx), listLiveAccounts(ctx.db)])
  return {
    items: apps.map((app) => ({
      network: app.network,
      label: app.definition.label,
      appReady: isReady(app),
      accounts: accounts.filter(({ network }) => network === app.network).map(accountJson),
    })),
  }
}

/** What authors choose from, with the present limits of accounts that have their own. */
export const listNetworks = async (ctx: Ctx): Promise<SocialNetworks> => {
  const [apps, stored] = await Promise.all([listApps(ctx), listLiveAccounts(ctx.db)])
  const accounts = await withCapabilities(ctx, stored)
  return {
    items: apps.map((app) =>
      networkJson(
        ctx,
        app,
        accounts.filter(({ network }) => network === app.network),
      ),
    ),
  }
}

const networkJson = (ctx: Ctx, app: App, accounts: readonly AccountRow[]): SocialNetwork => {
  const { label, limits, linkNote, options } = app.definition
  const isOff = app.version !== null && !app.enabled
  return {
    network: app.network,
    label,
    limits: limitsJson(limits),
    ...(linkNote !== undefined && { linkNote }),
    options: options.map(({ values, ...option }) => ({ ...option, ...(values && { values: [...values] }) })),
    accounts: accounts.map(shownJson),
    enabled: !isOff && (isReady(app) || accounts.length > 0),
    warnings: app.source === 'none' && accounts.length === 0 ? [] : warningsOf(app, ctx.config, ctx.now()),
  }
}

const limitsJson = (limits: Limits): SocialNetwork['limits'] => ({
  captionMax: limits.captionMax,
  captionCount: limits.captionCount,
  ...(limits.photoCaptionMax !== undefined && { photoCaptionMax: limits.photoCaptionMax }),
  textOnly: limits.textOnly,
  imagesMax: limits.imagesMax,
  imageTypes: [...limits.imageTypes],
  imageMaxBytes: limits.imageMaxBytes,
  videoTypes: [...limits.videoTypes],
  videoMaxBytes: limits.videoMaxBytes,
  videoSeconds: limits.videoSeconds && [limits.videoSeconds[0], limits.videoSeconds[1]],
  altText: limits.altText,
  link: limits.link,
  ...(limits.hashtagsMax !== undefined && { hashtagsMax: limits.hashtagsMax }),
  imageAspect: limits.image.aspect && [limits.image.aspect[0], limits.image.aspect[1]],
})

const shownJson = (account: AccountRow): SocialNetwork['accounts'][number] => ({
  id: account.id,
  name: account.name,
  handle: account.handle,
  avatarUrl: account.avatarUrl,
  status: account.status,
  statusReason: account.statusReason,
  capabilities: capabilitiesJson(account),
})

const capabilitiesJson = ({ capabilities: { imageTypes, privacyLevels, boards, ...rest } }: AccountRow) => ({
  ...rest,
  ...(imageTypes && { imageTypes: [...imageTypes] }),
  ...(privacyLevels && { privacyLevels: [...privacyLevels] }),
  ...(boards && { boards: boards.map(({ id, name }) => ({ id, name })) }),
})

const accountJson = (account: AccountRow): SocialAccount => ({
  ...shownJson(account),
  kind: account.kind,
  profileUrl: account.profileUrl,
  scopes: account.scopes,
  missingScopes: account.missingScopes,
  accessExpiresAt: account.accessExpiresAt?.toISOString() ?? null,
  pausedUntil: account.pausedUntil?.toISOString() ?? null,
  connectedAt: account.connectedAt.toISOString(),
  lastUsedAt: account.lastUsedAt?.toISOString() ?? null,
  version: account.version,
})

/** Asks the networks where what is stored is old; one process at a time, and never longer than the composer may wait. */
const withCapabilities = async (ctx: Ctx, accounts: readonly AccountRow[]): Promise<AccountRow[]> => {
  const isOld = ({ network, status, capabilitiesAt }: AccountRow) =>
    status === 'active' &&
    ctx.socialNetworks[network]?.capabilities !== undefined &&
    (capabilitiesAt === null || ctx.now().getTime() - capabilitiesAt.getTime() >= CAPABILITIES_LIFE_MS)
  const old = accounts.filter(isOld).slice(0, MAX_ASKED_AT_ONCE)
  const asked = new Map(await Promise.all(old.map(async (account) => [account.id, await ask(ctx, account)] as const)))
  return accounts.map((account) => asked.get(account.id) ?? account)
}

const ask = async (ctx: Ctx, account: AccountRow): Promise<AccountRow> => {
  const now = ctx.now()
  const olderThan = new Date(now.getTime() - CAPABILITIES_LIFE_MS)
  if (!(await ctx.tx((tx) => claimCapabilities(tx, account.id, now, olderThan)))) return account
  const read = ctx.socialNetworks[account.network]?.capabilities
  if (!read) return account
  try {
    const capabilities = await reachAccount(ctx, account.id, AbortSignal.timeout(CAPABILITIES_TIMEOUT_MS), read)
    await ctx.tx((tx) => saveCapabilities(tx, account.id, capabilities))
    return { ...account, capabilities }
  } catch (error) {
    // The stored limits stay in use until the network answers again.
    if (!(error instanceof NetworkFailure || error instanceof LineCut))
      ctx.log.error({ err: error, network: account.network }, 'the limits of an account could not be read')
    return account
  }
}
