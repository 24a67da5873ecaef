import { type ApiRequest, callApi, type SignedReach } from './http/api-call.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './http/failure.ts'
import type { NetworkReply } from './http/http.ts'
import { isSuccess, type JsonObject, kindOfStatus, numberOf, objectOf, textOf } from './http/read-reply.ts'
import { retryAtOf } from './http/retry-at.ts'

export const LABEL = 'Pinterest'

/** One call to Pinterest's API: its answer, or a `NetworkFailure`. */
export const callPinterest = async (reach: SignedReach, request: ApiRequest): Promise<JsonObject> => {
  const reply = await callApi(reach, request)
  if (!isSuccess(reply)) throw new NetworkFailure(failureOf(reply, reach.now()))
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
  if (code === RATE_LIMITED) return 'rate'
  if (/^unable to reach the url/i.test(message)) return 'transient'
  if (code === UNAUTHENTICATED || code === FORBIDDEN_TO_APP) return 'auth'
  // The other causes of 403 are spam and blocked links.
  return status === 403 ? 'policy' : kindOfStatus(status)
}
