import { Secret } from '@stoa/kit/secret.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './http/failure.ts'
import type { NetworkHttp, NetworkReply, NetworkRequest } from './http/http.ts'
import {
  isSuccess,
  type JsonObject,
  kindOfStatus,
  listOf,
  numberOf,
  objectOf,
  requireText,
  textOf,
} from './http/read-reply.ts'
import { afterMs, latest, retryAtOf } from './http/retry-at.ts'
import type { AppReach, Tokens } from './network.ts'

/** Which kind of failure a number means; what is in no list is decided by the HTTP status. */
export type KindsOf = Partial<Record<FailureKind, readonly number[]>>

export type GraphRules = {
  label: string
  /** Wins over the code: it is the more exact of the two. */
  subcodes: KindsOf
  /** Words of `error.message` for what has no number of its own. */
  authWords?: RegExp
}

export type GraphRequest = Omit<NetworkRequest, 'authorization'> & { scheme?: 'Bearer' | 'OAuth' }

/** One call to an API of Meta: its answer, or a `NetworkFailure`. */
export type Graph = (
  reach: { http: NetworkHttp; accessToken?: Secret; now(): Date },
  request: GraphRequest,
) => Promise<JsonObject>

export const createGraph =
  (rules: GraphRules): Graph =>
  async (reach, { scheme = 'Bearer', ...request }) => {
    const reply = await reach.http({
      ...request,
      ...(reach.accessToken && { authorization: { scheme, value: reach.accessToken } }),
    })
    if (!isSuccess(reply) || objectOf(reply.json).error !== undefined)
      throw new NetworkFailure(failureOf(rules, reply, reach.now()))
    return objectOf(reply.json)
  }

const failureOf = (rules: GraphRules, reply: NetworkReply, now: Date): FailureFacts => {
  const answer = objectOf(reply.json)
  const error = objectOf(answer.error)
  const code = numberOf(error.code ?? answer.code)
  const subcode = numberOf(error.error_subcode)
  const kind = kindOf(rules, error, code, subcode, reply.status)
  const traceId = textOf(error.fbtrace_id) ?? reply.headers.get('x-fb-trace-id')
  return {
    kind,
    code: code === null ? `HTTP_${reply.status}` : subcode === null ? `${code}` : `${code}/${subcode}`,
    // Instagram's token address has its words in `error_message`.
    message:
      textOf(error.error_user_msg) ??
      textOf(error.message) ??
      textOf(answer.error_message) ??
      `${rules.label} returned status ${reply.status}`,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
    ...(kind === 'rate' && { pauses: code === APP_LIMIT ? 'app' : 'account', ...usageRetryAt(reply.headers, now) }),
  }
}

const kindOf = (
  rules: GraphRules,
  error: JsonObject,
  code: number | null,
  subcode: number | null,
  status: number,
): FailureKind => {
  const known = kindIn(rules.subcodes, subcode) ?? kindIn(CODES, code)
  if (known) return known
  if (code !== null && code >= 80_000 && code <= 80_014) return 'rate'
  if (code !== null && code >= 200 && code <= 299 && error.code !== undefined) return 'auth'
  if (rules.authWords?.test(textOf(error.message) ?? '')) return 'auth'
  if (error.is_transient === true) return 'transient'
  return kindOfStatus(status)
}

const APP_LIMIT = 4
const CODES: KindsOf = {
  transient: [1, 2, 341],
  rate: [APP_LIMIT, 17, 32, 613],
  auth: [190, 102, 10],
  policy: [368],
  duplicate: [506],
}

const kindIn = (kinds: KindsOf, number: number | null): FailureKind | undefined => {
  if (number === null) return undefined
  const found = Object.entries(kinds).find(([, numbers]) => numbers.includes(number))
  return found?.[0] as FailureKind | undefined
}

/** What a number inside of a container's status means. */
export const subcodeKind = (rules: GraphRules, subcode: number): FailureKind =>
  kindIn(rules.subcodes, subcode) ?? 'invalid'

export const subcodeOf = (failure: NetworkFailure): number | null => numberOf(failure.facts.code.split('/')[1])

/** `{"<id>": [{type, call_count, …, estimated_time_to_regain_access: minutes}]}` */
const usageRetryAt = (headers: Headers, now: Date): { retryAt?: Date } => {
  const minutes = ['x-business-use-case-usage', 'x-app-usage'].flatMap((name) => regainMinutes(headers.get(name)))
  const byUsage = minutes.filter((left) => left > 0).map((left) => afterMs(now, left * 60_000))
  const retryAt = latest([...byUsage, ...[retryAtOf(headers, now) ?? []].flat()])
  return retryAt ? { retryAt } : {}
}

const regainMinutes = (header: string | null): number[] => {
  const usage = objectOf(parseJson(header))
  return [usage, ...Object.values(usage).flatMap(listOf)]
    .map((entry) => numberOf(objectOf(entry).estimated_time_to_regain_access))
    .filter((minutes) => minutes !== null)
}

const parseJson = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

export type MetaToken = { accessToken: Secret; expiresAt: Date | null; scopes: readonly string[] | null }

/** The first token of a consent. It ends within hours: `longLived` comes next. */
export const exchangeMetaCode = async (
  graph: Graph,
  reach: AppReach,
  form: Readonly<Record<string, string>>,
  label: string,
): Promise<MetaToken> => {
  const answer = await graph(reach, {
    url: reach.endpoints.tokenUrl,
    body: {
      form: {
        client_id: reach.clientId,
        client_secret: reach.clientSecret.reveal(),
        redirect_uri: reach.redirectUri,
        ...form,
      },
    },
  })
  // Newer versions of Instagram's answer are a list of one.
  return tokenOf(reach, objectOf(listOf(answer.data)[0] ?? answer), label)
}

/** Exchanges and refreshes take all they need as parameters. */
export const fetchMetaToken = async (
  graph: Graph,
  reach: AppReach,
  request: { url: string; query: Readonly<Record<string, string>> },
  label: string,
): Promise<MetaToken> => tokenOf(reach, await graph(reach, request), label)

/** Visible characters only (RFC 6749, appendix A.12): it becomes a header. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/.test(value)

const tokenOf = (reach: AppReach, answer: JsonObject, label: string): MetaToken => {
  const { access_token: value } = answer
  const accessToken = new Secret(
    requireText({ access_token: isToken(value) ? value : null }, 'access_token', label, 'transient'),
  )
  const seconds = numberOf(answer.expires_in)
  const { permissions } = answer
  const scopes = typeof permissions === 'string' ? permissions.split(',') : listOf(permissions).map(String)
  return {
    accessToken,
    expiresAt: seconds === null ? null : new Date(reach.now().getTime() + seconds * 1000),
    scopes: permissions === undefined ? null : scopes.map((scope) => scope.trim()).filter((scope) => scope !== ''),
  }
}

/** Meta has no refresh tokens: an access token is renewed with itself. */
export const toTokens = (token: MetaToken, scopes: readonly string[]): Tokens => ({
  accessToken: token.accessToken,
  refreshToken: null,
  accessExpiresAt: token.expiresAt,
  refreshExpiresAt: null,
  scopes: token.scopes ?? scopes,
})

/** Exchange and refresh are outside of the versions. */
export const atOrigin = (apiBase: string, path: string): string => `${new URL(apiBase).origin}${path}`
