import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import type { AppReach, OAuthFacts } from '../network.ts'
import { type FailureFacts, NetworkFailure } from './failure.ts'
import type { NetworkReply, NetworkRequest } from './http.ts'
import { authorizeUrlOf, exchangeCode, missingScopes, refreshTokens, type TokenFacts } from './oauth.ts'

const NOW = new Date('2026-11-02T10:00:00Z')

const facts: OAuthFacts = {
  endpoints: {
    authorizeUrl: 'https://network.example/authorize',
    tokenUrl: 'https://network.example/token',
    apiBase: 'https://api.network.example',
    uploadBase: '',
    apiVersion: '',
    scopes: ['read', 'write'],
  },
  scopeSeparator: ',',
  pkce: true,
  hasEnvironment: false,
}

const reachWith = (answer: { status?: number; json?: unknown }) => {
  const requests: NetworkRequest[] = []
  const reach: AppReach = {
    http: async (request) => {
      requests.push(request)
      const reply: NetworkReply = { status: 200, headers: new Headers(), text: '', json: undefined, ...answer }
      return reply
    },
    endpoints: facts.endpoints,
    clientId: 'app id',
    clientSecret: new Secret('s:cret&'),
    redirectUri: 'https://site.example/social/oauth/callback',
    now: () => NOW,
  }
  return { reach, requests }
}

const byForm: TokenFacts = { scopeSeparator: ',', clientAuth: 'form' }
const byBasic: TokenFacts = { scopeSeparator: ' ', clientAuth: 'basic' }
const grant = { code: 'the-code', codeVerifier: new Secret('the-verifier') }
const old = {
  accessToken: new Secret('old'),
  refreshToken: new Secret('old-refresh'),
  accessExpiresAt: null,
  refreshExpiresAt: null,
  scopes: ['read'],
}

const failureOf = async (attempt: Promise<unknown>): Promise<FailureFacts> => {
  try {
    await attempt
  } catch (error) {
    if (error instanceof NetworkFailure) return error.facts
    throw error
  }
  throw new Error('it was no failure')
}

describe('authorizeUrlOf', () => {
  const app = { endpoints: facts.endpoints, clientId: 'app', redirectUri: 'https://site.example/back?a=b' }

  it('carries the state, the scopes with the separator of the network, and the S256 challenge', () => {
    const url = new URL(authorizeUrlOf(facts, app, { state: 'st', codeChallenge: 'ch' }))
    assert.equal(url.origin + url.pathname, 'https://network.example/authorize')
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      response_type: 'code',
      client_id: 'app',
      redirect_uri: 'https://site.example/back?a=b',
      scope: 'read,write',
      state: 'st',
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    })
  })

  it('names the app as the network does, adds its parameters, and sends no challenge that there is not', () => {
    const own: OAuthFacts = { ...facts, clientIdName: 'client_key', authorizeParams: { access_type: 'offline' } }
    const { searchParams } = new URL(authorizeUrlOf(own, app, { state: 'st', codeChallenge: null }))
    assert.equal(searchParams.get('client_key'), 'app')
    assert.equal(searchParams.get('client_id'), null)
    assert.equal(searchParams.get('access_type'), 'offline')
    assert.equal(searchParams.has('code_challenge'), false)
  })

  it('keeps the parameters that an admin put into the address', () => {
    const endpoints = { ...facts.endpoints, authorizeUrl: 'https://network.example/authorize?tenant=1' }
    const url = new URL(authorizeUrlOf(facts, { ...app, endpoints }, { state: 'st', codeChallenge: null }))
    assert.equal(url.searchParams.get('tenant'), '1')
  })
})

describe('exchangeCode', () => {
  it('sends the code, the address of the way back and the verifier, with the app in the form', async () => {
    const { reach, requests } = reachWith({ json: { access_token: 'a' } })
    await exchangeCode(reach, byForm, grant, { extra: 'yes' })
    assert.deepEqual(requests[0], {
      method: 'POST',
      url: 'https://network.example/token',
      body: {
        form: {
          grant_type: 'authorization_code',
          code: 'the-code',
          redirect_uri: 'https://site.example/social/oauth/callback',
          code_verifier: 'the-verifier',
          extra: 'yes',
          client_id: 'app id',
          client_secret: 's:cret&',
        },
      },
    })
  })

  it('names the app client_key where the network does', async () => {
    const { reach, requests } = reachWith({ json: { access_token: 'a' } })
    await exchangeCode(reach, { ...byForm, clientIdName: 'client_key' }, { code: 'c', codeVerifier: null })
    const form = requests[0]?.body && 'form' in requests[0].body ? requests[0].body.form : {}
    assert.equal(form.client_key, 'app id')
    assert.equal('client_id' in form, false)
    assert.equal(form.code_verifier, undefined)
  })

  it('puts id and secret form-encoded into a Basic header, and not into the form', async () => {
    const { reach, requests } = reachWith({ json: { access_token: 'a' } })
    await exchangeCode(reach, byBasic, grant)
    const { authorization, body } = requests[0] ?? {}
    assert.equal(authorization?.scheme, 'Basic')
    const pair = Buffer.from(authorization?.value.reveal() ?? '', 'base64').toString()
    assert.equal(pair, 'app+id:s%3Acret%26')
    assert.equal(JSON.stringify(body).includes('client_secret'), false)
  })

  it('reads tokens, lifetimes and scopes', async () => {
    const json = {
      access_token: 'a',
      refresh_token: 'r',
      expires_in: '60',
      refresh_expires_in: 120,
      scope: 'read,more',
    }
    const { tokens } = await exchangeCode(reachWith({ json }).reach, byForm, grant)
    assert.equal(tokens.accessToken.reveal(), 'a')
    assert.equal(tokens.refreshToken?.reveal(), 'r')
    assert.deepEqual(tokens.accessExpiresAt, new Date('2026-11-02T10:01:00Z'))
    assert.deepEqual(tokens.refreshExpiresAt, new Date('2026-11-02T10:02:00Z'))
    assert.deepEqual(tokens.scopes, ['read', 'more'])
  })

  it('takes what was asked for as granted when the answer names no scopes', async () => {
    const { tokens } = await exchangeCode(reachWith({ json: { access_token: 'a' } }).reach, byForm, grant)
    assert.deepEqual(tokens.scopes, ['read', 'write'])
    assert.equal(tokens.refreshToken, null)
    assert.equal(tokens.accessExpiresAt, null)
  })

  const failures: [name: string, answer: { status?: number; json?: unknown }, expected: Partial<FailureFacts>][] = [
    [
      'a code that is used up',
      { status: 400, json: { error: 'invalid_grant', error_description: 'Code was used' } },
      { kind: 'auth', code: 'invalid_grant', message: 'Code was used', httpStatus: 400 },
    ],
    [
      'a wrong secret',
      { status: 401, json: { error: 'invalid_client' } },
      { kind: 'config', code: 'invalid_client', message: 'invalid_client' },
    ],
    [
      'an error with members',
      { status: 400, json: { error: { code: 100, message: 'Bad code' } } },
      { kind: 'invalid', code: '100', message: 'Bad code' },
    ],
    ['too many requests', { status: 429, json: {} }, { kind: 'rate', code: 'HTTP_429' }],
    ['a server that is down', { status: 503 }, { kind: 'transient', code: 'HTTP_503' }],
    ['a success with an error in it', { json: { error: 'invalid_grant' } }, { kind: 'auth', httpStatus: 200 }],
    ['a success without a token', { json: { token: 'a' } }, { kind: 'invalid', code: 'HTTP_200' }],
    ['a token that is no text', { json: { access_token: { a: 1 } } }, { kind: 'invalid' }],
    ['a token that no header can carry', { json: { access_token: 'a\r\nHost: b' } }, { kind: 'invalid' }],
    ['a token of many kilobytes', { json: { access_token: 'a'.repeat(8_193) } }, { kind: 'invalid' }],
  ]
  for (const [name, answer, expected] of failures)
    it(`answers ${name} with a failure of kind ${expected.kind}`, async () => {
      const found = await failureOf(exchangeCode(reachWith(answer).reach, byForm, grant))
      assert.deepEqual({ ...found, ...expected }, found)
    })
})

describe('refreshTokens', () => {
  it('sends the refresh token, and keeps the scopes that an answer does not name', async () => {
    const { reach, requests } = reachWith({ json: { access_token: 'new' } })
    const { tokens } = await refreshTokens(reach, byBasic, old)
    assert.deepEqual(requests[0]?.body, { form: { grant_type: 'refresh_token', refresh_token: 'old-refresh' } })
    assert.equal(tokens.accessToken.reveal(), 'new')
    assert.equal(tokens.refreshToken, null)
    assert.deepEqual(tokens.scopes, ['read'])
  })

  it('asks for a new connection when there is no refresh token, and asks the network nothing', async () => {
    const { reach, requests } = reachWith({})
    const found = await failureOf(refreshTokens(reach, byForm, { ...old, refreshToken: null }))
    assert.equal(found.kind, 'auth')
    assert.equal(requests.length, 0)
  })
})

describe('missingScopes', () => {
  it('names what was asked for and not granted', () => {
    assert.deepEqual(missingScopes(['a', 'b', 'c'], ['c', 'a', 'd']), ['b'])
  })
})
