import { randomBytes } from 'node:crypto'
import { type FakeCall, FakeRefusal, type FakeReply, type FakeRoute, formOf } from './fake-network.ts'

type GraphError = { message: string; code: number; error_subcode?: number; error_user_msg?: string }

export const graphError = (error: GraphError, status = 400): FakeRefusal =>
  new FakeRefusal(status, { error: { type: 'OAuthException', fbtrace_id: 'AbCdEf123', ...error } })

export const badToken = (): FakeRefusal =>
  graphError({ message: 'Error validating access token: Session has expired', code: 190, error_subcode: 463 }, 401)

export const wrongSecret = (): FakeRefusal => graphError({ message: 'Error validating client secret.', code: 1 })

const random = (): string => randomBytes(12).toString('hex')

/** The app is any, but the same from consent to exchange; the secret `wrong` is refused. */
export type MetaToken = { life: 'short' | 'long'; scopes: string[]; clientSecret: string; issuedAt: number }

export type MetaConsent = {
  tokens: Map<string, MetaToken>
  routes: FakeRoute[]
  issue(token: Omit<MetaToken, 'issuedAt'>): string
  /** The token of a call, which must be good; a short one is good for nothing but its exchange. */
  tokenOf(call: FakeCall): string
}

export type ConsentFacts = {
  authorizePath: string
  tokenPath: string
  knownScopes: readonly string[]
  /** Permissions that the person declines in the consent dialog. */
  declined?: readonly string[]
  grantType: 'authorization_code' | null
  answer(token: string, scopes: string[]): unknown
  now?(): number
}

/** Consent and the exchange of its code, as strict as Meta is. */
export const createMetaConsent = (facts: ConsentFacts): MetaConsent => {
  const now = facts.now ?? Date.now
  const codes = new Map<string, { clientId: string; redirectUri: string; scopes: string[] }>()
  const tokens = new Map<string, MetaToken>()
  const issue: MetaConsent['issue'] = (token) => {
    const value = `EAA${random()}`
    tokens.set(value, { ...token, issuedAt: now() })
    return value
  }

  const authorize = ({ query }: FakeCall): FakeReply => {
    const redirectUri = query.get('redirect_uri')
    const scopes = (query.get('scope') ?? '').split(',')
    const clientId = query.get('client_id')
    if (!clientId) return { status: 400, body: 'Invalid app ID' }
    if (query.get('response_type') !== 'code' || !redirectUri || !query.get('state'))
      return { status: 400, body: 'response_type, redirect_uri or state is missing' }
    const unknown = scopes.filter((scope) => !facts.knownScopes.includes(scope))
    if (unknown.length > 0) return { status: 400, body: `Invalid Scopes: ${unknown.join(', ')}` }
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (query.has('deny')) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_reason', 'user_denied')
      back.searchParams.set('error_description', 'Permissions error')
    } else {
      const code = random()
      codes.set(code, { clientId, redirectUri, scopes: scopes.filter((scope) => !facts.declined?.includes(scope)) })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href } }
  }

  const token = (call: FakeCall): FakeReply => {
    const form = formOf(call)
    const code = form.get('code') ?? ''
    const known = codes.get(code)
    codes.delete(code)
    const clientSecret = form.get('client_secret') ?? ''
    if (clientSecret === '' || clientSecret === 'wrong') throw wrongSecret()
    if (facts.grantType !== null && form.get('grant_type') !== facts.grantType)
      throw graphError({ message: 'Invalid grant_type', code: 100 })
    if (!known || form.get('client_id') !== known.clientId)
      throw graphError({ message: 'This authorization code has been used.', code: 100, error_subcode: 36009 })
    if (form.get('redirect_uri') !== known.redirectUri)
      throw graphError({ message: 'Error validating verification code: redirect_uri differs', code: 100 })
    return { body: facts.answer(issue({ ...known, life: 'short', clientSecret }), known.scopes) }
  }

  return {
    tokens,
    issue,
    tokenOf(call) {
      const [scheme, value] = (call.headers.authorization ?? '').split(' ')
      const given = scheme === 'Bearer' || scheme === 'OAuth' ? (value ?? '') : (call.query.get('access_token') ?? '')
      if (tokens.get(given)?.life !== 'long') throw badToken()
      return given
    },
    routes: [
      { call: 'authorize', method: 'GET', path: facts.authorizePath, answer: authorize },
      { call: 'token', method: 'POST', path: facts.tokenPath, answer: token },
    ],
  }
}

const DAY_MS = 86_400_000
const LONG_SECONDS = 60 * 86_400

/** Instagram and Threads: both are at the origin, and take what they need as parameters. */
export const longLivedRoutes = (
  { tokens, issue }: MetaConsent,
  prefix: 'ig' | 'th',
  now: () => number = Date.now,
): FakeRoute[] => {
  const answer = (known: MetaToken): FakeReply => ({
    body: { access_token: issue({ ...known, life: 'long' }), token_type: 'bearer', expires_in: LONG_SECONDS },
  })
  return [
    {
      call: 'exchange',
      method: 'GET',
      path: '/access_token',
      atOrigin: { grant_type: `${prefix}_exchange_token` },
      answer({ query }) {
        const known = tokens.get(query.get('access_token') ?? '')
        if (known?.life !== 'short') throw badToken()
        if (query.get('client_secret') !== known.clientSecret) throw wrongSecret()
        return answer(known)
      },
    },
    {
      call: 'refresh',
      method: 'GET',
      path: '/refresh_access_token',
      atOrigin: { grant_type: `${prefix}_refresh_token` },
      answer({ query }) {
        const known = tokens.get(query.get('access_token') ?? '')
        if (known?.life !== 'long') throw badToken()
        if (now() - known.issuedAt < DAY_MS)
          throw graphError({ message: 'The access token must be at least 24 hours old', code: 100 })
        return answer(known)
      },
    },
  ]
}
