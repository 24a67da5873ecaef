import { createHash, randomBytes } from 'node:crypto'
import { type FakeCall, FakeRefusal, type FakeReply, type FakeRoute, formOf } from './fake-network.ts'

export type FakeOAuthFacts = {
  paths: { authorize: string; token: string; revoke: string }
  clientIdName?: 'client_key'
  /** Where the request carries the app's id and secret; the secret `wrong` is refused everywhere. */
  clientAuth: 'form' | 'basic'
  scopes: readonly string[]
  separator: ' ' | ','
  /** How the token answer separates them, where it is another way. */
  answerSeparator?: ' ' | ','
  pkce: 'required' | 'refused'
  codeLifeMs: number
  accessSeconds: number
  /** `rotates`: each refresh token works once, and the answer has the next. `kept`: the answer has none. */
  refresh: 'rotates' | 'kept' | 'none'
  refreshSeconds?: number
  /** Further members of a token answer. */
  answer?: Readonly<Record<string, unknown>>
  requiredParams?: Readonly<Record<string, string>>
  /** TikTok answers errors with 200. */
  errorStatus?: number
  now?: () => number
}

type Grant = { clientId: string; scopes: string[] }
type Code = Grant & { redirectUri: string; challenge: string | null; endsAt: number }

export type FakeOAuth = {
  routes: readonly FakeRoute[]
  /** The grant of the bearer token; undefined for tokens that are unknown, expired or revoked. */
  grantOf(call: FakeCall): Grant | undefined
  /** Expires every access token. */
  endAccessTokens(): void
}

/** RFC 6749 with the strictness of the real ones: exact way back, codes that work once, S256, one way to authenticate. */
export const createFakeOAuth = (facts: FakeOAuthFacts): FakeOAuth => {
  const now = facts.now ?? Date.now
  const codes = new Map<string, Code>()
  const access = new Map<string, Grant & { endsAt: number }>()
  const refresh = new Map<string, Grant>()
  const idName = facts.clientIdName ?? 'client_id'

  const refuse = (error: string, description: string, status = 400): never => {
    throw new FakeRefusal(facts.errorStatus ?? status, { error, error_description: description })
  }

  const authorize = ({ query }: FakeCall): FakeReply => {
    const must = (name: string): string => query.get(name) ?? refuse('invalid_request', `${name} is missing`)
    if (must('response_type') !== 'code') refuse('unsupported_response_type', 'only code')
    for (const [name, value] of Object.entries(facts.requiredParams ?? {}))
      if (must(name) !== value) refuse('invalid_request', `${name} has to be ${value}`)
    const asked = must('scope').split(facts.separator)
    const unknown = asked.find((scope) => !facts.scopes.includes(scope))
    if (unknown !== undefined) refuse('invalid_scope', `no scope ${unknown}`)
    const challenge = query.get('code_challenge')
    if (facts.pkce === 'refused' && challenge !== null) refuse('invalid_request', 'PKCE is not for web apps')
    if (facts.pkce === 'required' && !/^[\w-]{43}$/.test(must('code_challenge')))
      refuse('invalid_request', 'the challenge is no SHA-256')
    if (challenge !== null && must('code_challenge_method') !== 'S256') refuse('invalid_request', 'only S256')
    const back = new URL(must('redirect_uri'))
    back.searchParams.set('state', must('state'))
    if (query.get('deny') === '1') {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The user said no')
      return { status: 302, headers: { location: back.href } }
    }
    const code = randomBytes(12).toString('hex')
    const declined = query.getAll('decline')
    codes.set(code, {
      clientId: must(idName),
      scopes: asked.filter((scope) => !declined.includes(scope)),
      redirectUri: must('redirect_uri'),
      challenge,
      endsAt: now() + facts.codeLifeMs,
    })
    back.searchParams.set('code', code)
    return { status: 302, headers: { location: back.href } }
  }

  const clientOf = (call: FakeCall, form: URLSearchParams): string => {
    const header = call.headers.authorization
    if (facts.clientAuth === 'form') {
      if (header !== undefined) refuse('invalid_request', 'the app belongs into the form')
      const id = form.get(idName)
      if (!id || !form.get('client_secret') || form.get('client_secret') === 'wrong')
        refuse('invalid_client', 'unknown app', 401)
      return id ?? ''
    }
    if (form.has('client_secret')) refuse('invalid_request', 'the app belongs into the header')
    const [id = '', secret = ''] = Buffer.from(header?.replace(/^Basic /, '') ?? '', 'base64')
      .toString()
      .split(':')
    if (!header?.startsWith('Basic ') || id === '' || secret === '' || secret === 'wrong')
      refuse('invalid_client', 'unknown app', 401)
    return decodeURIComponent(id.replaceAll('+', ' '))
  }

  const issue = (grant: Grant, isRefresh: boolean): FakeReply => {
    const token = `access-${randomBytes(12).toString('hex')}`
    access.set(token, { ...grant, endsAt: now() + facts.accessSeconds * 1_000 })
    const hasRefresh = facts.refresh === 'rotates' || (facts.refresh === 'kept' && !isRefresh)
    const refreshToken = `refresh-${randomBytes(12).toString('hex')}`
    if (hasRefresh) refresh.set(refreshToken, grant)
    return {
      body: {
        token_type: 'bearer',
        access_token: token,
        expires_in: facts.accessSeconds,
        scope: grant.scopes.join(facts.answerSeparator ?? facts.separator),
        ...(hasRefresh && { refresh_token: refreshToken }),
        ...(hasRefresh && facts.refreshSeconds !== undefined && { refresh_expires_in: facts.refreshSeconds }),
        ...facts.answer,
      },
    }
  }

  const token = (call: FakeCall): FakeReply => {
    const form = formOf(call)
    const clientId = clientOf(call, form)
    if (form.get('grant_type') === 'refresh_token') {
      const held = form.get('refresh_token') ?? ''
      const grant = refresh.get(held)
      if (!grant || grant.clientId !== clientId) return refuse('invalid_grant', 'The refresh token is not valid')
      if (facts.refresh === 'rotates') refresh.delete(held)
      return issue(grant, true)
    }
    if (form.get('grant_type') !== 'authorization_code') refuse('unsupported_grant_type', 'unknown grant type')
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (!code || code.endsAt <= now() || code.clientId !== clientId)
      return refuse('invalid_grant', 'The code is unknown, used or has expired')
    if (form.get('redirect_uri') !== code.redirectUri) refuse('invalid_grant', 'redirect_uri is another one')
    const verifier = form.get('code_verifier')
    const made = verifier && createHash('sha256').update(verifier).digest('base64url')
    if (made !== code.challenge) refuse('invalid_grant', 'code_verifier does not fit')
    return issue({ clientId, scopes: code.scopes }, false)
  }

  const revoke = (call: FakeCall): FakeReply => {
    const form = formOf(call)
    const held = form.get('token') ?? ''
    if (!access.delete(held) && !refresh.delete(held)) refuse('invalid_request', 'unknown token')
    return { body: {} }
  }

  return {
    routes: [
      { call: 'authorize', method: 'GET', path: facts.paths.authorize, answer: authorize },
      { call: 'token', method: 'POST', path: facts.paths.token, answer: token },
      { call: 'revoke', method: 'POST', path: facts.paths.revoke, answer: revoke },
    ],
    grantOf(call) {
      const held = access.get(call.headers.authorization?.replace(/^Bearer /, '') ?? '')
      return held && held.endsAt > now() ? held : undefined
    },
    endAccessTokens: () => access.clear(),
  }
}
