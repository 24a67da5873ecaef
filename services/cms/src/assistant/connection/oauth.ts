import { z } from 'zod'
import type { AiOauthApp } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { beginConsent, takeConsent } from '../../people/consent/consent.ts'
import { sessionOf } from '../../principal.ts'
import { authorizeUrlOf, type OauthTokens, ProviderError, requestTokens } from '../providers/providers.ts'
import { sealTokens } from './credential.ts'
import { targetOf } from './manage.ts'
import { findProvider, lockProvider, saveProvider } from './queries.ts'
import { suggestions } from './suggestions.ts'

const PURPOSE = 'ai'
const payloadShape = z.object({ clientId: z.string(), model: z.string() })

const redirectUriOf = ({ publicUrl }: Ctx['config']): string => `${publicUrl}/ai/oauth/callback`

/** Where the person's browser goes to sign in. Without a model it is the one in use, or the first that is suggested. */
export const startSignIn = async (ctx: Ctx, model: string | undefined): Promise<string> => {
  const app = ctx.config.aiOauth ?? fail('INVALID_STATE', { message: NO_CLIENT })
  const stored = await findProvider(ctx.db)
  const kept = stored.kind === 'a' ? stored.model : null
  const payload = { clientId: app.clientId, model: model ?? kept ?? suggestions.a[0] }
  const issued = await beginConsent(ctx, { purpose: PURPOSE, payload, withPkce: true })
  return authorizeUrlOf(app, redirectUriOf(ctx.config), issued)
}

export type SignInOutcome = { model: string } | { error: string; message: string }

/** The way back. What it says is believed only together with a state that was issued here. */
export const finishSignIn = async (
  ctx: Ctx,
  query: Readonly<Record<string, string | undefined>>,
): Promise<SignInOutcome> => {
  const begun = await takeConsent(ctx, query.state, { purpose: PURPOSE, shape: payloadShape, needs: 'settings.manage' })
  const app = ctx.config.aiOauth
  if (!begun?.codeVerifier || app === null || app.clientId !== begun.clientId)
    return { error: 'AI_STATE_INVALID', message: STATE_INVALID }
  if (query.error) return { error: 'AI_CONSENT_DENIED', message: DENIED }
  if (!query.code) return { error: 'AI_PROVIDER_ERROR', message: NO_CODE }
  try {
    const tokens = await requestTokens(ctx, app, {
      grant_type: 'authorization_code',
      code: query.code,
      redirect_uri: redirectUriOf(ctx.config),
      code_verifier: begun.codeVerifier.reveal(),
    })
    await connect({ ...ctx, principal: begun.principal }, app, begun.model, tokens)
    return { model: begun.model }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ code: error.code, said: error.providerText }, 'signing in at the AI provider failed')
    return { error: error.code, message: error.message }
  }
}

const NO_CLIENT =
  'To sign in, the operator has to register a client and set AI_OAUTH_A_CLIENT_ID. Enter an API key instead.'
const STATE_INVALID = 'This link has expired or was already used. Sign in again.'
const DENIED = 'The sign-in was canceled.'
const NO_CODE = "The provider didn't return a code. Sign in again."

const connect = (ctx: Ctx, { clientId }: AiOauthApp, model: string, tokens: OauthTokens): Promise<void> =>
  ctx.tx(async (tx) => {
    const before = await lockProvider(tx, ctx.now())
    const credential = sealTokens(ctx.config, clientId, tokens)
    const values = { ...before, kind: 'a', model, baseUrl: null, ...credential, lastTest: null } as const
    await saveProvider(tx, values, { at: ctx.now(), by: sessionOf(ctx).account.id })
    const target = targetOf({ kind: 'a', model })
    await recordChange(ctx, tx, { action: 'ai.connected', target, changed: ['kind', 'model', 'apiKey'] })
  })
