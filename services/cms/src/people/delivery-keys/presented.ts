import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { chain } from '@stoa/kit/http/maybe-promise.ts'
import type { Rate, RateState } from '@stoa/kit/http/rate-limit.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import type { Authenticated } from '@stoa/kit/http/server.ts'
import type { Services } from '../../context.ts'
import { kindOfToken, TOUCH_INTERVAL_MS } from '../../credentials.ts'
import { fail } from '../../errors.ts'
import type { Principal } from '../../principal.ts'
import type { HeldKey } from './key-cache.ts'

/** The invalid keys allowed per address: too few to find a key by guessing, or to load the database with lookups. */
const INVALID_KEYS: Rate = { limit: 30, windowSeconds: 60 }

/** How many requests a key may make in a minute, as the settings say now; null: as many as it likes. */
export type KeyRate = () => MaybePromise<number | null>

const rateKeyOf = ({ id }: HeldKey): string => `key ${id}`
const rateOf = (perMinute: number): Rate => ({ limit: perMinute, windowSeconds: 60 })

/** Whether a request of this key can be counted at once. */
export const isCountedAtOnce = ({ rates }: Services['deliveryKeys'], key: HeldKey, perMinute: number | null): boolean =>
  perMinute === null || rates.isAtHand(rateKeyOf(key), rateOf(perMinute))

/** Turns the header `X-Api-Key` into a principal: at once when the key is held in memory. */
export const createKeyAuthenticator = (
  { deliveryKeys, clock }: Pick<Services, 'deliveryKeys' | 'clock'>,
  keyRate: KeyRate,
) => {
  const { rates } = deliveryKeys

  const refuse = (request: Incoming, code: 'INVALID_TOKEN' | 'TOKEN_REVOKED'): MaybePromise<never> =>
    chain(rates.take(guesserOf(request), INVALID_KEYS), (state) => {
      limited(state)
      return refuseKey(code)
    })
  const admit = (
    request: Incoming,
    key: HeldKey | null,
    perMinute: number | null,
  ): MaybePromise<Authenticated<Principal>> => {
    if (key === null) return refuse(request, 'INVALID_TOKEN')
    if (key.isRevoked) return refuse(request, 'TOKEN_REVOKED')
    if (perMinute === null) return letIn(key)
    return chain(rates.take(rateKeyOf(key), rateOf(perMinute)), (state) => {
      limited(state)
      return letIn(key)
    })
  }
  const letIn = (key: HeldKey): Authenticated<Principal> => {
    const now = clock.now()
    if (now.getTime() - key.usedAt >= TOUCH_INTERVAL_MS) deliveryKeys.touch(key, now)
    return key.authenticated
  }

  return (request: Incoming): MaybePromise<Authenticated<Principal>> => {
    const token = presentedKey(request)
    // Without the prefix nothing needs to be looked up, and yet it is a guess.
    if (kindOfToken(token) === null) return refuse(request, 'INVALID_TOKEN')
    const key = deliveryKeys.find(token, () => chain(rates.peek(guesserOf(request), INVALID_KEYS), refuseGuesser))
    const rate = keyRate()
    if (!(key instanceof Promise) && !(rate instanceof Promise)) return admit(request, key, rate)
    return Promise.all([key, rate]).then(([found, perMinute]) => admit(request, found, perMinute))
  }
}

/**
 * Never from the query, where keys end up in logs; never as bearer; distinguished by prefix, before anything is looked
 * up.
 */
const presentedKey = (request: Incoming): string => {
  const token = request.header('x-api-key')
  if (token === undefined || token === '')
    return refuseKey(request.header('authorization') === undefined ? 'AUTH_REQUIRED' : 'WRONG_CREDENTIAL_KIND')
  const kind = kindOfToken(token)
  return kind === 'session' || kind === 'agent' ? refuseKey('WRONG_CREDENTIAL_KIND') : token
}

const guesserOf = (request: Incoming): string => `guesses of ${request.limitKey}`

/** RFC 9110 §11.6.1 asks for a challenge; it names the header that would be accepted. */
const CHALLENGE = { 'www-authenticate': 'ApiKey header="X-Api-Key"' }

const refuseKey = (code: ErrorCode): never => fail(code, { headers: CHALLENGE })

/** Refuses an address without guesses left; keys that were valid before are not affected. */
const refuseGuesser = ({ headers, retryAfterSeconds }: RateState): void => {
  if (headers['ratelimit-remaining'] === '0')
    fail('RATE_LIMITED', { headers: { ...headers, 'retry-after': String(retryAfterSeconds) } })
}

const limited = ({ allowed, headers }: RateState): void => {
  if (!allowed) fail('RATE_LIMITED', { headers })
}
