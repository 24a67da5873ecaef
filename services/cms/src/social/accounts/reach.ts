import { createSealer, SealError, type Sealer } from '@stoa/kit/crypto/seal.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import { type App, getApp, isReady, reachOf, withVersion } from '../apps/apps.ts'
import {
  type AccountReach,
  boundedWords,
  createNetworkHttp,
  LineCut,
  NetworkFailure,
  type Tokens,
} from '../networks/networks.ts'
import {
  type AccountRow,
  findAccount,
  lockAccountPatiently,
  markNeedsReconnect,
  noteReason,
  noteUse,
  type SealedTokens,
  saveTokens,
} from './queries.ts'

/** The parts of a context that calls to an account need. */
export type ReachCtx = Pick<
  Ctx,
  'db' | 'tx' | 'now' | 'config' | 'log' | 'socialNetworks' | 'socialEgress' | 'socialRenewals'
>

const MINUTE_MS = 60_000
/** A call may take as long, and begins with a token that outlives it. */
const RENEW_BEFORE_END_MS = 5 * MINUTE_MS
/** Less than a transaction may wait. */
const RENEWAL_CALL_MS = 15_000
/** Often enough to distinguish an unused account from a used one. */
const NOTE_USE_EVERY_MS = MINUTE_MS
const MAX_REASON_LENGTH = 500

export const tokenSealer = ({ secret }: Pick<Config, 'secret'>): Sealer =>
  createSealer({ current: secret }, 'social-account')

export const sealTokens = (sealer: Sealer, id: string, tokens: Tokens): SealedTokens => ({
  accessSealed: sealer.seal(tokens.accessToken, id),
  refreshSealed: tokens.refreshToken && sealer.seal(tokens.refreshToken, id),
  accessExpiresAt: tokens.accessExpiresAt,
  refreshExpiresAt: tokens.refreshExpiresAt,
  scopes: tokens.scopes,
})

/**
 * Does something in the name of an account, with a token that is good: one that is about to end is renewed before, one
 * that is refused is renewed once. An account whose tokens cannot be renewed needs a person, and is marked so.
 */
export const reachAccount = async <T>(
  ctx: ReachCtx,
  accountId: string,
  signal: AbortSignal,
  run: (reach: AccountReach) => Promise<T>,
): Promise<T> => {
  const app = async (account: AccountRow) => getApp(ctx, account.network)
  let account = requireActive(await findAccount(ctx.db, accountId))
  if (isEnding(account, ctx.now()) && canRenew(ctx, account, await app(account)))
    account = await renewIfPossible(ctx, account, signal)
  if (isOver(account, ctx.now())) throw await giveUp(ctx, account, ENDED)
  try {
    return await use(ctx, account, await app(account), signal, run)
  } catch (error) {
    if (!isAuthFailure(error)) throw error
    if (!canRenew(ctx, account, await app(account))) throw await giveUp(ctx, account, error)
    const renewed = await renew(ctx, account, signal)
    try {
      return await use(ctx, renewed, await app(renewed), signal, run)
    } catch (second) {
      throw isAuthFailure(second) ? await giveUp(ctx, renewed, second) : second
    }
  }
}

/**
 * New tokens for old. Refresh tokens of some networks are good for one use: the row is locked while the network is
 * asked, and the answer is committed with the same transaction. A caller that waited finds new tokens and uses those.
 */
export const renew = (ctx: ReachCtx, known: AccountRow, signal: AbortSignal): Promise<AccountRow> =>
  ctx.socialRenewals.run(async () => {
    const outcome = await ctx.tx(async (tx): Promise<AccountRow | NetworkFailure | LineCut> => {
      const account = requireActive(await lockAccountPatiently(tx, known.id))
      if (account.tokensAt.getTime() !== known.tokensAt.getTime()) return account
      const app = await getApp({ ...ctx, db: tx }, account.network)
      const { refresh } = app.definition
      if (!refresh || !isReady(app)) throw new Error(`The tokens of ${account.network} can't be renewed`)
      const within = AbortSignal.any([signal, AbortSignal.timeout(RENEWAL_CALL_MS)])
      const reach = reachOf(ctx, app, within, endpointsFor(account, app))
      try {
        const tokens = await refresh.run(reach, openTokens(ctx, account))
        const sealed = sealTokens(tokenSealer(ctx.config), account.id, tokens)
        await saveTokens(tx, account.id, sealed, laterThan(account.tokensAt, ctx.now()))
        return requireActive(await findAccount(tx, account.id))
      } catch (error) {
        // An error that ends the transaction would take the note of it along.
        if (error instanceof NetworkFailure) {
          await noteFailure(ctx, tx, account, error)
          return error
        }
        if (error instanceof LineCut) return error
        throw error
      }
    })
    if (outcome instanceof Error) throw outcome
    return outcome
  })

/** Asks the network whether the tokens are good; an account whose tokens are not needs a person. */
export const probe = async (ctx: ReachCtx, account: AccountRow, signal: AbortSignal): Promise<void> => {
  const app = await getApp(ctx, account.network)
  if (!app.definition.probe || !isReady(app) || app.clientId !== account.clientId) return
  const within = AbortSignal.any([signal, AbortSignal.timeout(RENEWAL_CALL_MS)])
  try {
    await app.definition.probe(reachOf(ctx, app, within, endpointsFor(account, app)), openTokens(ctx, account))
  } catch (error) {
    throw isAuthFailure(error) ? await giveUp(ctx, account, error) : error
  }
}

/** The last minutes of a token are still good when the network is busy. */
const renewIfPossible = async (ctx: ReachCtx, account: AccountRow, signal: AbortSignal): Promise<AccountRow> => {
  try {
    return await renew(ctx, account, signal)
  } catch (error) {
    const isPassing = error instanceof LineCut || (error instanceof NetworkFailure && isNotNow(error))
    if (!isPassing || isOver(account, ctx.now())) throw error
    return account
  }
}

const isNotNow = ({ facts }: NetworkFailure): boolean => facts.kind === 'transient' || facts.kind === 'rate'

const noteFailure = async (
  ctx: ReachCtx,
  tx: Parameters<typeof saveTokens>[0],
  account: AccountRow,
  failure: NetworkFailure,
): Promise<void> => {
  if (isNotNow(failure)) return
  const { kind, code, message } = failure.facts
  const reason = reasonOf(message)
  // Without a refresh token nothing was refused yet: the access token is good until it ends.
  const isRefused = kind === 'auth' && code !== 'NO_REFRESH_TOKEN'
  if (isRefused || isOver(account, ctx.now()))
    await markNeedsReconnect(tx, { id: account.id, tokensAt: account.tokensAt, reason, at: ctx.now() })
  else await noteReason(tx, account.id, reason, ctx.now())
}

/** Whether tokens can be renewed without a person: the app must be the one that they were given to. */
export const canRenew = (ctx: Pick<ReachCtx, 'now'>, account: AccountRow, app: App): boolean => {
  const { refresh } = app.definition
  if (!refresh || !isReady(app) || app.clientId !== account.clientId) return false
  if (account.refreshSealed === null) return refresh.when === 'early' && !isOver(account, ctx.now())
  return account.refreshExpiresAt === null || account.refreshExpiresAt > ctx.now()
}

const use = async <T>(
  ctx: ReachCtx,
  account: AccountRow,
  app: App,
  signal: AbortSignal,
  run: (reach: AccountReach) => Promise<T>,
): Promise<T> => {
  const endpoints = endpointsFor(account, app)
  const { remoteId, name, handle, kind, capabilities, scopes } = account
  const result = await run({
    http: createNetworkHttp(ctx.socialEgress, endpoints, signal),
    endpoints,
    accessToken: openTokens(ctx, account).accessToken,
    account: { remoteId, name, handle, kind, capabilities, scopes },
    now: ctx.now,
  })
  const now = ctx.now()
  if (account.lastUsedAt === null || now.getTime() - account.lastUsedAt.getTime() >= NOTE_USE_EVERY_MS)
    await ctx.tx((tx) => noteUse(tx, account.id, now))
  return result
}

/** The endpoints of the account's connection, with the present API version: old versions expire. */
export const endpointsFor = (account: AccountRow, app: App) => withVersion(account.endpoints, app.endpoints.apiVersion)

export const openTokens = ({ config }: Pick<ReachCtx, 'config'>, account: AccountRow): Tokens => {
  const sealer = tokenSealer(config)
  const open = (sealed: string | null): Secret | null => (sealed === null ? null : sealer.open(sealed, account.id))
  try {
    const accessToken = open(account.accessSealed)
    if (accessToken === null) throw GONE()
    return {
      accessToken,
      refreshToken: open(account.refreshSealed),
      accessExpiresAt: account.accessExpiresAt,
      refreshExpiresAt: account.refreshExpiresAt,
      scopes: account.scopes,
    }
  } catch (error) {
    if (error instanceof SealError) throw UNREADABLE
    throw error
  }
}

const GONE = () =>
  new NetworkFailure({ kind: 'auth', code: 'ACCOUNT_GONE', message: 'This account is no longer connected' })
const ENDED = new NetworkFailure({
  kind: 'auth',
  code: 'ACCESS_ENDED',
  message: 'Access to this account has expired. Connect it again.',
})
const UNREADABLE = new NetworkFailure({
  kind: 'auth',
  code: 'TOKENS_UNREADABLE',
  message: 'The stored tokens can no longer be read. Connect the account again.',
})

const requireActive = (account: AccountRow | null): AccountRow => {
  if (account === null || account.status === 'disconnected') throw GONE()
  if (account.status === 'active') return account
  const message = account.statusReason ?? 'Connect this account again'
  throw new NetworkFailure({ kind: 'auth', code: 'NEEDS_RECONNECT', message })
}

const giveUp = async (ctx: ReachCtx, account: AccountRow, failure: NetworkFailure): Promise<NetworkFailure> => {
  const reason = reasonOf(failure.facts.message)
  const { id, tokensAt } = account
  const isMarked = await ctx.tx((tx) => markNeedsReconnect(tx, { id, tokensAt, reason, at: ctx.now() }))
  if (isMarked) ctx.log.warn({ accountId: id, network: account.network }, 'a social account needs to be reconnected')
  return failure
}

const reasonOf = (message: string): string => boundedWords(message, MAX_REASON_LENGTH)

const isAuthFailure = (error: unknown): error is NetworkFailure =>
  error instanceof NetworkFailure && error.facts.kind === 'auth'

const isEnding = ({ accessExpiresAt }: AccountRow, now: Date): boolean =>
  accessExpiresAt !== null && accessExpiresAt.getTime() - now.getTime() < RENEW_BEFORE_END_MS

const isOver = ({ accessExpiresAt }: AccountRow, now: Date): boolean =>
  accessExpiresAt !== null && accessExpiresAt <= now

/** Tokens are distinguished by their time, even if the clocks of processes differ. */
const laterThan = (before: Date, now: Date): Date => (now > before ? now : new Date(before.getTime() + 1))
