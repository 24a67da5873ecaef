import type { Secret } from '@stoa/kit/secret.ts'
import { type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkHttp, NetworkReply, NetworkRequest } from './http.ts'
import type { Endpoints } from './network.ts'
import { isSuccess, recordOf, retryAfterOf, textOf } from './read-reply.ts'

export type VideoPart = { uploadUrl: string; firstByte: number; lastByte: number }
export type MediaState = {
  urn: string
  /** Of a video, until all of it is uploaded. */
  uploadToken?: string
  parts?: VideoPart[]
  etags?: string[]
  isFinal?: boolean
}
export type Progress = { media: MediaState[]; hasWaited: boolean; hasCommented: boolean }
export type Reach = { http: NetworkHttp; endpoints: Endpoints; accessToken: Secret; now(): Date }

export const call = async (
  reach: Reach,
  { path, headers, ...request }: Omit<NetworkRequest, 'url' | 'authorization'> & { path: string },
): Promise<NetworkReply> =>
  succeed(
    await reach.http({
      ...request,
      url: `${reach.endpoints.apiBase}${path}`,
      headers: {
        'linkedin-version': reach.endpoints.apiVersion,
        'x-restli-protocol-version': '2.0.0',
        ...headers,
      },
      authorization: { scheme: 'Bearer', value: reach.accessToken },
    }),
    reach.now(),
  )

export const requireText = (value: unknown): string => {
  const text = textOf(value)
  if (text !== undefined) return text
  throw new NetworkFailure({ kind: 'invalid', code: 'BAD_ANSWER', message: 'LinkedIn answered something unexpected' })
}

export const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  const body = recordOf(reply.json)
  const message = textOf(body.message) ?? textOf(body.error_description) ?? `LinkedIn answered ${reply.status}`
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
    ...(kind === 'rate' && { retryAt: retryAfterOf(reply.headers, now) ?? nextMidnight(now), pauses: 'account' }),
  })
}

const kindOf = (status: number, code: string, serviceErrorCode: number, message: string): FailureKind => {
  if (status === 426 || code === 'NONEXISTENT_VERSION' || code === 'VERSION_MISSING') return 'config'
  if (status === 429) return 'rate'
  if (status === 401 || (serviceErrorCode >= 65_600 && serviceErrorCode <= 65_602)) return 'auth'
  if (status === 403) return code === 'ACCESS_DENIED' || serviceErrorCode === 100 ? 'auth' : 'policy'
  if (status >= 500 || status === 408) return 'transient'
  if (/Service Unavailable|Unable to obtain activity|not (?:yet )?AVAILABLE|still processing/i.test(message))
    return 'transient'
  return status === 422 && /duplicate/i.test(message) ? 'duplicate' : 'invalid'
}

/** Daily quotas start again at midnight UTC. */
const nextMidnight = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
