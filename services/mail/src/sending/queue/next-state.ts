import { LIFETIME_MS } from '../../hosting/enqueue/enqueue.ts'
import type { Claim, Outcome, Result } from './parts.ts'
import type { Written } from './record-queries.ts'
import { DELAY_NOTICE_AFTER_MS, nextAttemptAt } from './retry-times.ts'

/** What follows from one result: the row, the published events, and which report the sender gets. */
export type NextState = {
  written: Written
  /** Null while it only waits for its destination. */
  outcome: Outcome | null
  notice: 'failure' | 'delay' | 'success' | null
  result: Result
}

/** Decides the next state of a recipient. Pure. */
export const decideNextState = (claim: Claim, result: Result, now: Date): NextState => {
  const { recipient, path } = result
  const after = stateAfter(claim, result, now)
  const isFinished = after.state !== 'deferred'
  const notice = noticeFor(claim, result, { state: after.state, now })
  const { kind } = result.verdict
  const isAttempt = kind !== 'waiting' && kind !== 'suppressed' && kind !== 'dropped'
  const written: Written = {
    messageId: claim.messageId,
    ordinal: recipient.ordinal,
    leaseToken: claim.leaseToken,
    attempt: recipient.attempt,
    ...after,
    host: path.host,
    isDelayReported: recipient.isDelayReported || notice === 'delay',
    isFinished,
    isAttempt,
    isWaiting: kind === 'waiting',
    ip: path.ip,
    policy: path.policy,
    tls: path.tls,
    durationMs: result.durationMs,
  }
  const isRecorded = isAttempt || isFinished
  return { written, outcome: isRecorded ? toOutcome(claim, result, written, now) : null, notice, result }
}

type After = Pick<Written, 'code' | 'status' | 'reply' | 'nextAt'> & { state: Outcome['state'] }

const stateAfter = (claim: Claim, { verdict, recipient }: Result, now: Date): After => {
  const nextAt = now
  switch (verdict.kind) {
    case 'delivered': {
      const { code, status, reply } = verdict
      return { state: 'delivered', code, status, reply, nextAt }
    }
    case 'suppressed':
      return { state: 'suppressed', code: null, status: '5.7.1', reply: 'the recipient is suppressed', nextAt }
    case 'dropped':
      return { ...DROPPED, state: 'failed', nextAt }
    case 'permanent': {
      const { code, status, reply } = verdict
      return { state: verdict.by === 'peer' ? 'bounced' : 'failed', code, status, reply, nextAt }
    }
    case 'waiting':
    case 'temporary': {
      const known = verdict.kind === 'waiting' ? reasonToWait(claim) : verdict
      if (now >= claim.message.expiresAt) return { ...known, state: 'failed', status: EXPIRED, nextAt }
      const attempts = verdict.kind === 'waiting' ? Math.max(recipient.attempt, WAITING_STEP) : recipient.attempt
      const { code, status, reply } = known
      const at = nextAttemptAt({ now, attempts, expiresAt: claim.message.expiresAt })
      return { state: 'deferred', code, status, reply, nextAt: at }
    }
    default:
      return verdict satisfies never
  }
}

/** RFC 3463 §3.5: delivery time expired. */
const EXPIRED = '5.4.7'
/** Recipients that wait for their destination are looked at every half hour. */
const WAITING_STEP = 4
/** RFC 3463 §3.4: the mail system itself decided. */
const DROPPED = { code: null, status: '5.3.0', reply: 'removed from the queue by the administrator of this server' }
const SUSPENDED = { code: null, status: '4.7.1', reply: 'the sending account is suspended' }
const HELD = { code: null, status: '4.3.2', reply: 'mail for this domain is on hold' }
const WAITING = { code: null, status: '4.4.1', reply: 'the destination server is not responding; mail is waiting' }

const reasonToWait = ({ isSuspended, isHeld }: Claim): typeof WAITING => {
  if (isSuspended) return SUSPENDED
  return isHeld ? HELD : WAITING
}

/** RFC 3461 §4.1: without NOTIFY, failures and delays are reported. Never to the null sender, and never twice. */
const noticeFor = (
  claim: Claim,
  { recipient, verdict }: Result,
  { state, now }: { state: Outcome['state']; now: Date },
): NextState['notice'] => {
  const { returnPath, bounceToken, message } = claim
  if (returnPath === '' || bounceToken !== null) return null
  const wants = (kind: string) =>
    recipient.notify ? recipient.notify.some((word) => word.toLowerCase() === kind) : kind !== 'success'
  if (state === 'bounced' || state === 'failed') return wants('failure') ? 'failure' : null
  if (state === 'deferred') {
    // The delay of scheduled mail counts from its send time.
    const isLate = now.getTime() - (message.expiresAt.getTime() - LIFETIME_MS) >= DELAY_NOTICE_AFTER_MS
    return isLate && !recipient.isDelayReported && wants('delay') ? 'delay' : null
  }
  if (state !== 'delivered' || !wants('success')) return null
  // RFC 3461 §6.2: a peer that knows about reports sends this one itself.
  return verdict.kind === 'delivered' && verdict.where === 'peer' ? null : 'success'
}

const toOutcome = (claim: Claim, { recipient }: Result, written: Written, now: Date): Outcome | null => {
  const { state } = written
  if (state === 'queued' || state === 'sending' || state === 'cancelled') return null
  return {
    messageId: claim.messageId,
    accountId: claim.message.accountId,
    addressId: claim.message.addressId,
    source: claim.message.source,
    ordinal: recipient.ordinal,
    recipient: recipient.address,
    state,
    code: written.code,
    status: written.status,
    reply: written.reply,
    attempt: recipient.attempt,
    at: now,
  }
}
