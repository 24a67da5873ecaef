import { type ApiRequest, callApi, type SignedReach } from './http/api-call.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './http/failure.ts'
import type { NetworkReply } from './http/http.ts'
import { isSuccess, kindOfStatus, listOf, memberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { resetOf, retryAtOf } from './http/retry-at.ts'

export const call = async (reach: SignedReach, request: ApiRequest): Promise<NetworkReply> =>
  succeed(await callApi(reach, request), reach.now())

export const requireId = (reply: NetworkReply, kind: 'transient' | 'unknown' = 'transient'): string =>
  requireText(memberOf(reply.json, 'data'), 'id', 'X', kind)

export const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  throw failureOf(reply, now)
}

const failureOf = (reply: NetworkReply, now: Date): NetworkFailure => {
  const body = objectOf(reply.json)
  const first = objectOf(listOf(body.errors)[0])
  const type = textOf(body.type) ?? textOf(first.type) ?? ''
  const message = textOf(body.detail) ?? textOf(first.message) ?? textOf(first.detail) ?? textOf(body.title)
  const traceId = reply.headers.get('x-transaction-id')
  const kind = kindOf(reply.status, { type, title: textOf(body.title) ?? '', message: message ?? '' })
  return new NetworkFailure({
    kind,
    code: type.startsWith('http') ? (type.split('/').at(-1) ?? type) : `HTTP_${reply.status}`,
    message: message ?? textOf(body.error_description) ?? `X returned status ${reply.status}`,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
    ...(kind === 'rate' && pauseOf(reply.headers, now)),
  })
}

const kindOf = (
  status: number,
  { type, title, message }: Record<'type' | 'title' | 'message', string>,
): FailureKind => {
  if (status === 402 || type.endsWith('usage-capped') || /credits/i.test(`${type} ${title}`)) return 'billing'
  if (status === 403) return /duplicate content/i.test(message) ? 'duplicate' : 'policy'
  return kindOfStatus(status)
}

const pauseOf = (headers: Headers, now: Date): Pick<FailureFacts, 'retryAt' | 'pauses'> => {
  const isUsedUp = (limit: string): boolean => headers.get(`${limit}-remaining`) === '0'
  const ofApp = isUsedUp('x-app-limit-24hour') && resetOf(headers, 'x-app-limit-24hour-reset', now)
  if (ofApp) return { retryAt: ofApp, pauses: 'app' }
  const ofUser = isUsedUp('x-user-limit-24hour') && resetOf(headers, 'x-user-limit-24hour-reset', now)
  const retryAt = ofUser || retryAtOf(headers, now)
  return { ...(retryAt && { retryAt }), pauses: 'account' }
}
