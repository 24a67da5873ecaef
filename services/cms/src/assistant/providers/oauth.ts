import { Secret } from '@stoa/kit/secret.ts'
import { z } from 'zod'
import type { AiOauthApp } from '../../config.ts'
import { hostAndPortOf } from './base-url.ts'
import { boundedText, failure, failureOfLine } from './failures.ts'
import type { AiPort } from './port.ts'

/** What a sign-in at a provider gives. */
export type OauthTokens = { readonly access: Secret; readonly refresh: Secret | null; readonly expiresAt: Date | null }

const TOKEN_TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 65_536
/** RFC 6749 §5.1 and §5.2. */
const given = z.object({
  access_token: z.string().min(1).max(16_384),
  refresh_token: z.string().min(1).max(16_384).optional(),
  expires_in: z.number().min(0).max(1e9).optional(),
})
const refused = z.object({ error: z.string(), error_description: z.string().optional() })

/** Where a person agrees (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export const authorizeUrlOf = (
  app: AiOauthApp,
  redirectUri: string,
  { state, codeChallenge }: { state: string; codeChallenge: string | null },
): string => {
  const url = new URL(app.authorizeUrl)
  const params = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope: app.scopes.join(' '),
    state,
    ...(codeChallenge !== null && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

/** Tokens for a code or for a refresh token (RFC 6749 §4.1.3, §6); throws ProviderError. */
export const requestTokens = async (
  { ai, now }: { readonly ai: AiPort; now(): Date },
  app: AiOauthApp,
  grant: Readonly<Record<string, string>>,
): Promise<OauthTokens> => {
  const form = new URLSearchParams({ ...grant, client_id: app.clientId })
  if (app.clientSecret !== null) form.set('client_secret', app.clientSecret.reveal())
  const { status, json } = await post(ai, app, form.toString())
  const tokens = given.safeParse(json)
  if (status === 200 && tokens.success) {
    const { access_token, refresh_token, expires_in } = tokens.data
    return {
      access: new Secret(access_token),
      refresh: refresh_token === undefined ? null : new Secret(refresh_token),
      expiresAt: expires_in === undefined ? null : new Date(now().getTime() + expires_in * 1_000),
    }
  }
  const error = refused.safeParse(json)
  if (error.success && status < 500)
    throw failure('AI_AUTH', { providerText: boundedText(error.data.error_description ?? error.data.error) })
  throw failure(status === 200 || status < 500 ? 'AI_BAD_RESPONSE' : 'AI_PROVIDER_ERROR')
}

const post = async (ai: AiPort, app: AiOauthApp, body: string): Promise<{ status: number; json: unknown }> => {
  const chunks: Uint8Array[] = []
  try {
    const answer = await ai.egress.stream({
      url: app.tokenUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body,
      limits: { totalMs: TOKEN_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
      // The operator vouches for the address that they set.
      privateHosts: [hostAndPortOf(app.tokenUrl)],
    })
    for await (const chunk of answer.body) chunks.push(chunk)
    return { status: answer.status, json: jsonOf(Buffer.concat(chunks).toString('utf8')) }
  } catch (error) {
    throw failureOfLine(error, chunks.length > 0)
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
