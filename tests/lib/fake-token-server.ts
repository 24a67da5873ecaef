import { once } from 'node:events'
import http from 'node:http'
import { codeChallengeOf } from '@stoa/kit/oauth/state.ts'
import { until } from './waiting.ts'

export type FakeTokenServer = {
  readonly url: string
  /** Requests that were wrong. */
  readonly problems: string[]
  /** The token that is good now. */
  accessToken(): string
  /** Kinds of grants that were given, oldest first. */
  grants(): readonly string[]
  /** A code for what the consent page was asked with. */
  issueCode(challenge: string, redirectUri: string): string
  /** No token can be renewed any more. */
  revoke(): void
  holdRefreshes(): void
  untilRefreshing(): Promise<void>
  releaseRefreshes(): void
  close(): Promise<void>
}

/** The token endpoint of an OAuth server (RFC 6749, PKCE): codes and refresh tokens are good for one use. */
export const startFakeTokenServer = async (client: {
  clientId: string
  clientSecret: string
}): Promise<FakeTokenServer> => {
  const problems: string[] = []
  const grants: string[] = []
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  let count = 0
  let refresh = ''
  let access = ''
  let held: Promise<void> | null = null
  let release = () => undefined as unknown
  let waiting = 0

  const problemOf = (form: URLSearchParams): string | null => {
    if (form.get('client_id') !== client.clientId || form.get('client_secret') !== client.clientSecret)
      return 'invalid_client'
    if (form.get('grant_type') === 'refresh_token')
      return refresh !== '' && form.get('refresh_token') === refresh ? null : 'invalid_grant'
    const issued = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const isGood =
      form.get('grant_type') === 'authorization_code' &&
      issued?.redirectUri === form.get('redirect_uri') &&
      issued?.challenge === codeChallengeOf(form.get('code_verifier') ?? '')
    return isGood ? null : 'invalid_grant'
  }
  const answerTo = async (text: string): Promise<{ status: number; body: object }> => {
    const form = new URLSearchParams(text)
    if (form.get('grant_type') === 'refresh_token' && held) {
      waiting += 1
      await held
    }
    const problem = problemOf(form)
    if (problem !== null) {
      problems.push(problem)
      return { status: 400, body: { error: problem, error_description: `It is ${problem}` } }
    }
    grants.push(form.get('grant_type') ?? '')
    count += 1
    access = `sk-ant-oat-access-${count}`
    refresh = `sk-ant-ort-refresh-${count}`
    return {
      status: 200,
      body: { access_token: access, refresh_token: refresh, expires_in: 3_600, token_type: 'Bearer' },
    }
  }
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (!isForm || request.method !== 'POST') problems.push('no form')
    const { status, body } = await answerTo(Buffer.concat(chunks).toString())
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the token server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    problems,
    accessToken: () => access,
    grants: () => grants,
    issueCode(challenge, redirectUri) {
      const code = `code-of-the-tests-${codes.size}-${Math.random()}`
      codes.set(code, { challenge, redirectUri })
      return code
    },
    revoke() {
      refresh = ''
    },
    holdRefreshes() {
      held = new Promise((resolve) => {
        release = () => resolve()
      })
    },
    async untilRefreshing() {
      await until(() => waiting > 0, 'somebody asks for new tokens')
    },
    releaseRefreshes() {
      held = null
      release()
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
