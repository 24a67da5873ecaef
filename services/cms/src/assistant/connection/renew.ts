import type { Ctx } from '../../context.ts'
import { error } from '../../errors.ts'
import { ProviderError, requestTokens } from '../providers/providers.ts'
import { openTokens, type StoredTokens, sealTokens } from './credential.ts'
import { lockProviderPatiently, type StoredProvider, saveSealed } from './queries.ts'

type RenewCtx = Pick<Ctx, 'tx' | 'config' | 'ai' | 'now' | 'log'>

/** A turn may take ten minutes, and begins with a token that outlives it. */
const RENEW_BEFORE_END_MS = 15 * 60_000

const isEnding = ({ expiresAt }: StoredTokens, at: number): boolean => expiresAt !== null && expiresAt.getTime() <= at

/** The provider with tokens that are good for a while. Those of a key, and those without an end, stay as they are. */
export const withGoodTokens = async (ctx: RenewCtx, stored: StoredProvider): Promise<StoredProvider> => {
  const tokens = openTokens(ctx.config, stored)
  const now = ctx.now().getTime()
  if (tokens === null || !isEnding(tokens, now + RENEW_BEFORE_END_MS)) return stored
  try {
    return await renew(ctx)
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause
    ctx.log.warn({ code: cause.code, said: cause.providerText }, 'the sign-in at the AI provider could not be renewed')
    // The tokens remain valid for their last minutes.
    if (!isEnding(tokens, now)) return stored
    throw error(cause.code, { cause })
  }
}

/**
 * New tokens for old. A refresh token may be good for one use: the row is locked while the provider is asked, and a caller that
 * waited finds new tokens and takes those.
 */
const renew = async (ctx: RenewCtx): Promise<StoredProvider> => {
  const outcome = await ctx.tx(async (tx): Promise<StoredProvider | ProviderError> => {
    const stored = await lockProviderPatiently(tx)
    const tokens = openTokens(ctx.config, stored)
    if (tokens === null || !isEnding(tokens, ctx.now().getTime() + RENEW_BEFORE_END_MS)) return stored
    const { aiOauth } = ctx.config
    if (tokens.refresh === null || aiOauth?.clientId !== tokens.clientId)
      return new ProviderError('AI_AUTH', UNRENEWABLE)
    try {
      const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh.reveal() }
      const fresh = await requestTokens(ctx, aiOauth, grant)
      const kept = { ...fresh, refresh: fresh.refresh ?? tokens.refresh }
      const { sealed } = sealTokens(ctx.config, aiOauth.clientId, kept)
      await saveSealed(tx, sealed)
      return { ...stored, sealed }
    } catch (cause) {
      if (cause instanceof ProviderError) return cause
      throw cause
    }
  })
  if (outcome instanceof Error) throw outcome
  return outcome
}

const UNRENEWABLE = 'The sign-in has expired'
