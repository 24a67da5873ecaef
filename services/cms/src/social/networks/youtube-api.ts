import { type FailureFacts, type FailureKind, NetworkFailure } from './http/failure.ts'
import type { NetworkReply } from './http/http.ts'
import { isSuccess, kindOfStatus, listOf, memberOf, objectOf, textOf } from './http/read-reply.ts'
import { retryAtOf } from './http/retry-at.ts'

export const LABEL = 'YouTube'

export const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  const error = objectOf(memberOf(reply.json, 'error'))
  const reason = textOf(memberOf(listOf(error.errors)[0], 'reason'))
  const code = reason ?? textOf(error.status) ?? textOf(memberOf(reply.json, 'error')) ?? `HTTP_${reply.status}`
  const message = textOf(error.message) ?? textOf(memberOf(reply.json, 'error_description'))
  const kind = KINDS[code] ?? (reply.status === 403 ? 'policy' : kindOfStatus(reply.status))
  throw new NetworkFailure({
    kind,
    code,
    message: message ?? `${LABEL} returned status ${reply.status}`,
    httpStatus: reply.status,
    ...(kind === 'rate' && pauseOf(reply, code, now)),
  })
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  backendError: 'transient',
  processingFailure: 'transient',
  quotaExceeded: 'rate',
  dailyLimitExceeded: 'rate',
  rateLimitExceeded: 'rate',
  userRateLimitExceeded: 'rate',
  uploadLimitExceeded: 'rate',
  authError: 'auth',
  invalid_grant: 'auth',
  youtubeSignupRequired: 'auth',
  insufficientPermissions: 'auth',
  accessNotConfigured: 'config',
  forbidden: 'policy',
}

const DAY_MS = 86_400_000

const pauseOf = (reply: NetworkReply, code: string, now: Date): Pick<FailureFacts, 'retryAt' | 'pauses'> => {
  if (code === 'quotaExceeded' || code === 'dailyLimitExceeded') return { retryAt: midnightPacific(now), pauses: 'app' }
  if (code === 'uploadLimitExceeded') return { retryAt: new Date(now.getTime() + DAY_MS), pauses: 'account' }
  const retryAt = retryAtOf(reply.headers, now)
  return { ...(retryAt && { retryAt }), pauses: 'account' }
}

/** Quotas of Google projects start again at midnight there. */
const midnightPacific = (now: Date): Date => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' }).format(now)
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  const passed = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  return new Date(now.getTime() - now.getMilliseconds() - passed + DAY_MS)
}
