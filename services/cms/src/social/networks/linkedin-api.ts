import { type ApiRequest, callApi, type SignedReach } from './http/api-call.ts'
import { type FailureKind, NetworkFailure } from './http/failure.ts'
import type { NetworkReply } from './http/http.ts'
import { isSuccess, kindOfStatus, objectOf, textOf } from './http/read-reply.ts'
import { retryAtOf } from './http/retry-at.ts'
import type { CommentProgress } from './posting/first-comment.ts'

export const LABEL = 'LinkedIn'

export type VideoPart = { uploadUrl: string; firstByte: number; lastByte: number }
export type MediaState = {
  urn: string
  /** For a video, until all of it is uploaded. */
  uploadToken?: string
  parts?: VideoPart[]
  etags?: string[]
  isFinal?: boolean
}
export type Progress = CommentProgress & { media: MediaState[]; hasWaited: boolean }

export const call = async (reach: SignedReach, request: ApiRequest): Promise<NetworkReply> => {
  const headers = {
    'linkedin-version': reach.endpoints.apiVersion,
    'x-restli-protocol-version': '2.0.0',
    ...request.headers,
  }
  return succeed(await callApi(reach, { ...request, headers }), reach.now())
}

export const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  const body = objectOf(reply.json)
  const message = textOf(body.message) ?? textOf(body.error_description) ?? `LinkedIn returned status ${reply.status}`
  const code = textOf(body.code) ?? textOf(body.serviceErrorCode) ?? `HTTP_${reply.status}`
  const kind = kindOf(reply.status, code, Number(body.serviceErrorCode), message)
  const traceId = reply.headers.get('x-li-uuid')
  const existingId = kind === 'duplicate' ? /urn:li:(?:share|ugcPost):\d+/.exec(message)?.[0] : undefined
  throw new NetworkFailure({
    kind,
    code,
    message,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
    ...(existingId !== undefined && { existingId }),
    ...(kind === 'rate' && { retryAt: retryAtOf(reply.headers, now) ?? nextMidnight(now), pauses: 'account' }),
  })
}

const kindOf = (status: number, code: string, serviceErrorCode: number, message: string): FailureKind => {
  if (status === 426 || code === 'NONEXISTENT_VERSION' || code === 'VERSION_MISSING') return 'config'
  if (serviceErrorCode >= 65_600 && serviceErrorCode <= 65_602) return 'auth'
  if (status === 403) return code === 'ACCESS_DENIED' || serviceErrorCode === 100 ? 'auth' : 'policy'
  const kind = kindOfStatus(status)
  if (kind !== 'invalid') return kind
  if (/Service Unavailable|Unable to obtain activity|not (?:yet )?AVAILABLE|still processing/i.test(message))
    return 'transient'
  return status === 422 && /duplicate/i.test(message) ? 'duplicate' : 'invalid'
}

/** Daily quotas start again at midnight UTC. */
const nextMidnight = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
