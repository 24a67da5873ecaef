import type { Clock } from '../clock.ts'
import type { Sealer } from '../crypto/seal.ts'
import type { Log } from '../log.ts'
import { renewalOf } from '../tls/life.ts'
import { validityOf } from '../tls/pair.ts'
import type { Authority, Challenge } from './authority.ts'
import { AuthorityError } from './errors.ts'
import {
  type AcmeDatabase,
  type DueName,
  deleteCertificate,
  deleteChallenges,
  insertChallenge,
  saveCertificate,
  saveFailure,
} from './queries.ts'

/** Which names get a certificate. */
export type CertificateNames = {
  /** The operator's own, which are ordered first. */
  readonly own: readonly string[]
  /** Some of the other names that are not known here yet. */
  missing(limit: number): Promise<readonly string[]>
  /** Whether one of the other names is still one of ours. */
  isWanted(name: string): Promise<boolean>
  /** Why an order could not succeed, as far as that can be known before; null when it may be placed. */
  refusal(name: string): Promise<string | null>
}

/** Puts the answer to a dns-01 challenge into the operator's zone; gives what takes it away again. */
export type AnswerInDns = (name: string, answer: string, signal: AbortSignal) => Promise<() => Promise<void>>

export type OrderParts = {
  database: AcmeDatabase
  log: Log
  clock: Clock
  sealer: Sealer
  /** Where the authority says what it can do. */
  directory: string
  names: CertificateNames
  /** For the operator's own names; null: they are proven over HTTP like all others. */
  answerInDns: AnswerInDns | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** An order takes seconds. */
const ORDER_MS = 4 * MINUTE_MS
/** A new setup may need a moment to work. Let's Encrypt refuses a name after five failures within an hour. */
const FIRST_RETRY_MS = MINUTE_MS
const NEXT_RETRY_MS = 10 * MINUTE_MS
/** How soon a name is looked at again that points elsewhere. That costs the authority nothing. */
const LOOK_AGAIN_MS = 2 * HOUR_MS
const CHALLENGE_MS = HOUR_MS

/** Something that went wrong, and neither the authority nor the name is known to be the reason: it may be over soon. */
const LONGEST_PAUSE_MS = HOUR_MS

type Failure = { reason: string; wasAsked: boolean; longestPauseMs: number }

export type Orders = {
  /** Orders the certificate of one name; gives whether the authority answered. What may hold for all throws `AuthorityError`. */
  place(authority: Authority, due: DueName): Promise<boolean>
  /** Lets one name wait for which the authority did not answer as it should, and no other. */
  putOff(due: DueName, reason: string): Promise<void>
}

export const createOrders = (parts: OrderParts, stopping: AbortSignal): Orders => {
  const { database, log, clock, sealer, directory, names, answerInDns } = parts
  const { tx } = database

  const answer = async (name: string, challenge: Challenge, signal: AbortSignal): Promise<() => Promise<void>> => {
    if (challenge.type === 'dns-01') {
      if (!answerInDns) throw new Error('dns-01 needs a DNS provider')
      return answerInDns(name, challenge.answer, signal)
    }
    const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
    await tx((own) => insertChallenge(own, { ...challenge, expiresAt }))
    return () => tx((own) => deleteChallenges(own, challenge.token, clock.now()))
  }
  const fail = async ({ name, ...due }: DueName, { reason, wasAsked, longestPauseMs }: Failure): Promise<void> => {
    const now = clock.now()
    const nextAttemptAt = new Date(now.getTime() + pauseAfter(due, now, longestPauseMs))
    // A customer who does not want the name here is nothing to look into.
    const level = wasAsked || names.own.includes(name) || due.not_after ? 'warn' : 'debug'
    log[level]({ name, reason, nextAttemptAt }, 'a certificate was not ordered')
    await tx((own) => saveFailure(own, { name, directory, reason, nextAttemptAt, attemptedAt: wasAsked ? now : null }))
  }
  const order = async (authority: Authority, name: string, signal: AbortSignal): Promise<void> => {
    const pair = await authority.order(name, {
      challenge: names.own.includes(name) && answerInDns ? 'dns-01' : 'http-01',
      answer: (challenge) => answer(name, challenge, signal),
      signal,
    })
    const { from: notBefore, to: notAfter } = validityOf(pair)
    const issued = { name, directory, chain: pair.cert, sealedKey: sealer.seal(pair.key, name), notBefore, notAfter }
    await tx((own) => saveCertificate(own, { ...issued, renewAt: renewalOf(issued), now: clock.now() }))
    log.info({ name, notAfter }, 'a certificate was ordered')
  }

  return {
    async place(authority, due) {
      const { name } = due
      const deadline = AbortSignal.timeout(ORDER_MS)
      let wasAsked = false
      try {
        if (!names.own.includes(name) && !(await names.isWanted(name))) {
          await tx((own) => deleteCertificate(own, name))
          return false
        }
        const refusal = await names.refusal(name)
        if (refusal !== null) {
          await fail(due, { reason: refusal, wasAsked, longestPauseMs: LOOK_AGAIN_MS })
          return false
        }
        wasAsked = true
        await order(authority, name, AbortSignal.any([deadline, stopping]))
        return true
      } catch (error) {
        if (stopping.aborted) throw error
        const isRefused = error instanceof AuthorityError && error.problem === 'refused'
        if (deadline.aborted)
          await fail(due, { reason: 'The certificate authority took too long.', wasAsked, longestPauseMs: DAY_MS })
        else if (isRefused) await fail(due, { reason: error.message, wasAsked, longestPauseMs: DAY_MS })
        else if (error instanceof AuthorityError) throw error
        else {
          log.error({ err: error, name }, 'the certificate of a name could not be ordered')
          const reason = error instanceof Error ? error.message : String(error)
          await fail(due, { reason, wasAsked, longestPauseMs: LONGEST_PAUSE_MS })
        }
        return isRefused
      }
    },
    putOff: (due, reason) => fail(due, { reason, wasAsked: true, longestPauseMs: LONGEST_PAUSE_MS }),
  }
}

/** Twice as long each time, up to the longest; sooner when the certificate ends before. */
const pauseAfter = (
  { failures, not_after: notAfter }: Pick<DueName, 'failures' | 'not_after'>,
  now: Date,
  longest: number,
): number => {
  const next = Math.min(NEXT_RETRY_MS * 2 ** Math.min(failures - 1, 10), longest)
  const pause = failures === 0 ? FIRST_RETRY_MS : next
  if (notAfter === null) return pause
  return Math.min(pause, Math.max((notAfter.getTime() - now.getTime()) / 4, NEXT_RETRY_MS))
}
