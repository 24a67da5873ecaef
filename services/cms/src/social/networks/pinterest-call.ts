import { type FailureFacts, type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkReply, NetworkRequest } from './http.ts'
import { type JsonObject, numberOf, objectOf, textOf } from './json.ts'
import type { AccountReach } from './network.ts'
import { retryAtOf } from './retry-at.ts'

export const LABEL = 'Pinterest'

/** One call to Pinterest's API: its answer, or a `NetworkFailure`. */
export const callPinterest = async (
  reach: Pick<AccountReach, 'http' | 'endpoints' | 'accessToken' | 'now'>,
  { path, ...request }: Omit<NetworkRequest, 'authorization' | 'url'> & { path: string },
): Promise<JsonObject> => {
  const reply = await reach.http({
    ...request,
    url: `${reach.endpoints.apiBase}${path}`,
    authorization: { scheme: 'Bearer', value: reach.accessToken },
  })
  if (reply.status < 200 || reply.status > 299) throw new NetworkFailure(failureOf(reply, reach.now()))
  return objectOf(reply.json)
}

const failureOf = (reply: NetworkReply, now: Date): FailureFacts => {
  const answer = objectOf(reply.json)
  const code = numberOf(answer.code)
  const message = textOf(answer.message) ?? `${LABEL} returned status ${reply.status}`
  const kind = kindOf(reply.status, code, message)
  const retryAt = kind === 'rate' ? retryAtOf(reply.headers, now) : undefined
  const traceId = reply.headers.get('x-pinterest-rid')
  return {
    kind,
    code: code === null ? `HTTP_${reply.status}` : String(code),
    message,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
    ...(kind === 'rate' && { pauses: 'account' }),
    ...(retryAt && { retryAt }),
  }
}

const RATE_LIMITED = 8
const UNAUTHENTICATED = 2
const FORBIDDEN_TO_APP = 29

const kindOf = (status: number, code: number | null, message: string): FailureKind => {
  if (status === 429 || code === RATE_LIMITED) return 'rate'
  if (status >= 500 || status === 408 || /^unable to reach the url/i.test(message)) return 'transient'
  if (status === 401 || code === UNAUTHENTICATED || code === FORBIDDEN_TO_APP) return 'auth'
  // What is left of them is about spam and links that are blocked.
  if (status === 403) return 'policy'
  return status < 400 ? 'config' : 'invalid'
}
