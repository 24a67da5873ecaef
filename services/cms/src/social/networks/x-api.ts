import { type FailureFacts, type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkReply, NetworkRequest } from './http.ts'
import type { AccountReach } from './network.ts'
import { epochHeaderOf, isSuccess, listOf, memberOf, recordOf, retryAfterOf, textOf } from './read-reply.ts'

export const call = async (
  reach: AccountReach,
  { path, ...request }: Omit<NetworkRequest, 'url' | 'authorization'> & { path: string },
): Promise<NetworkReply> =>
  succeed(
    await reach.http({
      ...request,
      url: `${reach.endpoints.apiBase}${path}`,
      authorization: { scheme: 'Bearer', value: reach.accessToken },
    }),
    reach.now(),
  )

export const requireId = (reply: NetworkReply): string => {
  const id = textOf(memberOf(reply.json, 'data', 'id'))
  if (id !== undefined) return id
  throw new NetworkFailure({
    kind: 'unknown',
    code: 'NO_ID',
    message: 'X answered without an id',
    httpStatus: reply.status,
  })
}

export const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  throw failureOf(reply, now)
}

const failureOf = (reply: NetworkReply, now: Date): NetworkFailure => {
  const body = recordOf(reply.json)
  const first = recordOf(listOf(body.errors)[0])
  const type = textOf(body.type) ?? textOf(first.type) ?? ''
  const message = textOf(body.detail) ?? textOf(first.message) ?? textOf(first.detail) ?? textOf(body.title)
  const traceId = reply.headers.get('x-transaction-id')
  const kind = kindOf(reply.status, { type, title: textOf(body.title) ?? '', message: message ?? '' })
  return new NetworkFailure({
    kind,
    code: type.startsWith('http') ? (type.split('/').at(-1) ?? type) : `HTTP_${reply.status}`,
    message: message ?? textOf(body.error_description) ?? `X answered ${reply.status}`,
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
  if (status === 429) return 'rate'
  if (status === 401) return 'auth'
  if (status >= 500 || status === 408) return 'transient'
  if (status === 403) return /duplicate content/i.test(message) ? 'duplicate' : 'policy'
  return 'invalid'
}

const pauseOf = (headers: Headers, now: Date): Pick<FailureFacts, 'retryAt' | 'pauses'> => {
  const isUsedUp = (limit: string): boolean => headers.get(`${limit}-remaining`) === '0'
  const ofApp = isUsedUp('x-app-limit-24hour') && epochHeaderOf(headers, 'x-app-limit-24hour-reset')
  if (ofApp) return { retryAt: ofApp, pauses: 'app' }
  const ofUser = isUsedUp('x-user-limit-24hour') && epochHeaderOf(headers, 'x-user-limit-24hour-reset')
  const retryAt = ofUser || (epochHeaderOf(headers, 'x-rate-limit-reset') ?? retryAfterOf(headers, now))
  return { ...(retryAt && { retryAt }), pauses: 'account' }
}
