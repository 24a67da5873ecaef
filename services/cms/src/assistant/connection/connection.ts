import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type Connected, DEFAULT_BASE_URL } from '../providers/providers.ts'
import { openCredential } from './credential.ts'
import { findProvider, type StoredProvider } from './queries.ts'
import { withGoodTokens } from './renew.ts'

export { type Receipt, reserveTokens, settleTokens, usedToday } from './budget.ts'

export type ConnectionCtx = Pick<Ctx, 'db' | 'tx' | 'config' | 'ai' | 'log' | 'now'>

/** How the connected model is to be used. */
export type AiSettings = Pick<StoredProvider, 'compactTools' | 'retentionDays' | 'contextTokens'>

/** The provider, if one is connected and its credential can be read; a sign-in that ends soon is renewed. */
export const readConnected = async (ctx: ConnectionCtx): Promise<Connected | null> => {
  const stored = await findProvider(ctx.db)
  return connectedOf(ctx, await withGoodTokens(ctx, stored))
}

export const requireConnected = async (ctx: ConnectionCtx): Promise<Connected> =>
  (await readConnected(ctx)) ?? fail('AI_NOT_CONNECTED')

export const readAiSettings = async ({ db }: Pick<Ctx, 'db'>): Promise<AiSettings> => {
  const { compactTools, retentionDays, contextTokens } = await findProvider(db)
  return { compactTools, retentionDays, contextTokens }
}

export const connectedOf = (ctx: Pick<Ctx, 'config'>, stored: StoredProvider): Connected | null => {
  const { kind, model, baseUrl, contextTokens } = stored
  if (kind === null || model === null) return null
  if (kind === 'local') return { kind, model, baseUrl: baseUrl ?? DEFAULT_BASE_URL, credential: null, contextTokens }
  const value = openCredential(ctx.config, stored)
  if (value === null || stored.credentialFrom === null) return null
  return { kind, model, baseUrl: null, credential: { from: stored.credentialFrom, value }, contextTokens }
}
