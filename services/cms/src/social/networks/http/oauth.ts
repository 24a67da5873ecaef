import { Secret } from '@stoa/kit/secret.ts'
import type { AppReach, Endpoints, OAuthFacts, Tokens } from '../network.ts'
import { type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkReply, NetworkRequest } from './http.ts'
import { isSuccess, objectOf, textOf } from './read-reply.ts'
import { retryAtOf } from './retry-at.ts'

/** What differs between the token endpoints of networks. */
export type TokenFacts = Pick<OAuthFacts, 'scopeSeparator' | 'clientIdName'> & {
  /** Where the app's id and secret go: into the form, or into a Basic header (RFC 6749 §2.3.1). */
  clientAuth: 'form' | 'basic'
}

/** A token answer, and what else was in it: an account id, for some. */
export type TokenAnswer = { tokens: Tokens; answer: Readonly<Record<string, unknown>> }

type Form = Readonly<Record<string, string | undefined>>

/** Where a person consents (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export const authorizeUrlOf = (
  facts: OAuthFacts,
  app: { endpoints: Pick<Endpoints, 'authorizeUrl' | 'scopes'>; clientId: string; redirectUri: string },
  { state, codeChallenge }: { state: string; codeChallenge: string | null },
): string => {
  const url = new URL(app.endpoints.authorizeUrl)
  const params = {
    response_type: 'code',
    [facts.clientIdName ?? 'client_id']: app.clientId,
    redirect_uri: app.redirectUri,
    scope: app.endpoints.scopes.join(facts.scopeSeparator),
    state,
    ...(codeChallenge !== null && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    ...facts.authorizeParams,
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

/** RFC 6749 §4.1.3. */
export const exchangeCode = (
  reach: AppReach,
  facts: TokenFacts,
  grant: { code: string; codeVerifier: Secret | null },
  extra: Form = {},
): Promise<TokenAnswer> =>
  requestTokens(reach, facts, {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: reach.redirectUri,
    code_verifier: grant.codeVerifier?.reveal(),
    ...extra,
  })

/** RFC 6749 §6. What an answer does not name is as it was before. */
export const refreshTokens = async (
  reach: AppReach,
  facts: TokenFacts,
  old: Tokens,
  extra: Form = {},
): Promise<TokenAnswer> => {
  if (old.refreshToken === null)
    throw new NetworkFailure({
      kind: 'auth',
      code: 'NO_REFRESH_TOKEN',
      message: 'The connection has expired. Connect the account again.',
    })
  const form = { grant_type: 'refresh_token', refresh_token: old.refreshToken.reveal(), ...extra }
  const { tokens, answer } = await requestTokens(reach, facts, form)
  return {
    tokens: {
      ...tokens,
      refreshExpiresAt: tokens.refreshExpiresAt ?? old.refreshExpiresAt,
      scopes: textOf(answer.scope) === null ? old.scopes : tokens.scopes,
    },
    answer,
  }
}

/** An address beside the token endpoint. */
export const besideTokenUrl = (tokenUrl: string, path: string): string => new URL(path, tokenUrl).href

export const missingScopes = (asked: readonly string[], granted: readonly string[]): string[] =>
  asked.filter((scope) => !granted.includes(scope))

/** Client authentication, for token and revocation requests alike. */
export const withClient = (
  reach: Pick<AppReach, 'clientId' | 'clientSecret'>,
  facts: Pick<TokenFacts, 'clientAuth' | 'clientIdName'>,
  form: Form,
): Pick<NetworkRequest, 'body' | 'authorization'> => {
  if (facts.clientAuth === 'form')
    return {
      body: {
        form: {
          ...form,
          [facts.clientIdName ?? 'client_id']: reach.clientId,
          client_secret: reach.clientSecret.reveal(),
        },
      },
    }
  const pair = [reach.clientId, reach.clientSecret.reveal()].map(formEncode).join(':')
  return {
    body: { form },
    authorization: { scheme: 'Basic', value: new Secret(Buffer.from(pair).toString('base64')) },
  }
}

/** RFC 6749 §2.3.1 wants both parts form-encoded. */
const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const requestTokens = async (reach: AppReach, facts: TokenFacts, form: Form): Promise<TokenAnswer> => {
  const reply = await reach.http({ method: 'POST', url: reach.endpoints.tokenUrl, ...withClient(reach, facts, form) })
  return readTokens(reply, reach, facts)
}

/** Reads a token answer (RFC 6749 §5.1); lifetimes count from now. */
const readTokens = (
  reply: NetworkReply,
  reach: Pick<AppReach, 'endpoints' | 'now'>,
  facts: Pick<TokenFacts, 'scopeSeparator'>,
): TokenAnswer => {
  const answer = objectOf(reply.json)
  const accessToken = tokenOf(answer.access_token)
  if (!isSuccess(reply) || accessToken === null) throw tokenFailure(reply, reach.now())
  const tokens: Tokens = {
    accessToken,
    refreshToken: tokenOf(answer.refresh_token),
    accessExpiresAt: endOf(answer.expires_in, reach.now()),
    refreshExpiresAt: endOf(answer.refresh_expires_in ?? answer.refresh_token_expires_in, reach.now()),
    scopes: scopesOf(answer.scope, facts.scopeSeparator) ?? reach.endpoints.scopes,
  }
  return { tokens, answer }
}

const MAX_TOKEN = 8_192
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400

const tokenOf = (value: unknown): Secret | null => {
  if (typeof value !== 'string' || value === '') return null
  // Visible characters only (RFC 6749, appendix A.12): it becomes a header.
  if (value.length > MAX_TOKEN || !/^[\x20-\x7E]+$/.test(value)) return null
  return new Secret(value)
}

const endOf = (seconds: unknown, now: Date): Date | null => {
  const life = Number(seconds)
  if (seconds === null || seconds === undefined || !Number.isFinite(life) || life <= 0) return null
  return new Date(now.getTime() + Math.min(life, MAX_LIFETIME_SECONDS) * 1_000)
}

/** Some answer with another separator than they ask for. */
const scopesOf = (scope: unknown, separator: ' ' | ','): string[] | null => {
  if (typeof scope !== 'string') return null
  const parts = scope.split(separator).flatMap((part) => part.split(/[\s,]+/))
  return parts.filter((part) => part !== '')
}

const AUTH_ERRORS: ReadonlySet<unknown> = new Set(['invalid_grant', 'access_denied', 'invalid_token'])
const CONFIG_ERRORS: ReadonlySet<unknown> = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'redirect_uri_mismatch',
  'unsupported_grant_type',
  'invalid_request',
])

const tokenFailure = (reply: NetworkReply, now: Date): NetworkFailure => {
  const { code, message } = oauthErrorOf(reply)
  const kind = tokenFailureKind(reply, code)
  const retryAt = kind === 'rate' ? retryAtOf(reply.headers, now) : undefined
  return new NetworkFailure({ kind, code, message, httpStatus: reply.status, ...(retryAt && { retryAt }) })
}

const tokenFailureKind = (reply: NetworkReply, code: string): FailureKind => {
  if (reply.status === 429) return 'rate'
  if (reply.status >= 500) return 'transient'
  if (AUTH_ERRORS.has(code)) return 'auth'
  if (CONFIG_ERRORS.has(code) || reply.status === 401) return 'config'
  return 'invalid'
}

/** The network's own words: RFC 6749 §5.2, or an `error` with members as some have it. */
const oauthErrorOf = (reply: NetworkReply): { code: string; message: string } => {
  const body = objectOf(reply.json)
  const nested = objectOf(body.error)
  const code = textOf(body.error) ?? textOf(nested.code) ?? textOf(nested.type) ?? `HTTP_${reply.status}`
  const message = textOf(body.error_description) ?? textOf(nested.message) ?? textOf(body.message) ?? textOf(body.error)
  return { code, message: message ?? `The network returned status ${reply.status} without tokens` }
}
