import { type ApiRequest, callApi, type SignedReach } from './http/api-call.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './http/failure.ts'
import type { NetworkReply } from './http/http.ts'
import { isSuccess, kindOfStatus, memberOf, objectOf, textOf } from './http/read-reply.ts'
import { retryAtOf } from './http/retry-at.ts'

export const LABEL = 'TikTok'
export const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export type Progress = {
  publishId: string | null
  uploadUrl: string | null
  /** For a video: the size of a chunk, and how many arrived. */
  chunkBytes: number
  sent: number
}

export const call = async (reach: SignedReach, request: ApiRequest): Promise<NetworkReply> => {
  const reply = await callApi(reach, request)
  // A 200 may be an error, too.
  if (isSuccess(reply) && memberOf(reply.json, 'error', 'code') === 'ok') return reply
  throw failureOf(reply, reach.now())
}

export const profileUrlOf = (handle: string): string => `https://www.tiktok.com/@${handle}`

export const failureOf = (reply: NetworkReply, now: Date): NetworkFailure => {
  const error = objectOf(memberOf(reply.json, 'error'))
  const code = textOf(error.code) ?? `HTTP_${reply.status}`
  const traceId = textOf(error.log_id)
  return new NetworkFailure({
    ...classify(reply, code, now),
    code,
    message: textOf(error.message) ?? textOf(error.code) ?? `${LABEL} returned status ${reply.status}`,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
  })
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  internal_error: 'transient',
  video_pull_failed: 'transient',
  photo_pull_failed: 'transient',
  rate_limit_exceeded: 'rate',
  spam_risk_too_many_posts: 'rate',
  spam_risk_too_many_pending_share: 'rate',
  reached_active_user_cap: 'rate',
  access_token_invalid: 'auth',
  scope_not_authorized: 'auth',
  scope_permission_missed: 'auth',
  spam_risk: 'policy',
  spam_risk_text: 'policy',
  spam_risk_user_banned_from_posting: 'policy',
  unaudited_client_can_only_post_to_private_accounts: 'policy',
  url_ownership_unverified: 'policy',
  privacy_level_option_mismatch: 'policy',
}

export const classify = (
  reply: NetworkReply,
  code: string,
  now: Date,
): Pick<FailureFacts, 'kind' | 'retryAt' | 'pauses'> => {
  const kind = KINDS[code] ?? kindOfStatus(reply.status)
  if (kind !== 'rate') return { kind }
  const isDaily = code.startsWith('spam_risk') || code === 'reached_active_user_cap'
  return {
    kind,
    retryAt: retryAtOf(reply.headers, now) ?? new Date(now.getTime() + (isDaily ? DAY_MS : MINUTE_MS)),
    pauses: code === 'reached_active_user_cap' ? 'app' : 'account',
  }
}
