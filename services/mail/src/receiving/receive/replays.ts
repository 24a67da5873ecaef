import type { Clock } from '@stoa/kit/clock.ts'
import { openRateLimiter } from '@stoa/kit/http/rate-limit.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Authenticity } from '../../formats/authenticity/authenticity.ts'

/** Notices messages whose good signature is used to send them again and again to others (DKIM replay). */
export type ReplayWatch = {
  isReplayed(mail: { ip: string; authenticity: Pick<Authenticity, 'dkim'> }): Promise<boolean>
}

/** A signature covers To and Date: even a list comes here with the same one in a few transactions only. */
export const COPIES = { limit: 100, windowSeconds: 3_600 }
const ALERTS = { limit: 1, windowSeconds: 3_600 }

/** Hosts that are exempt of limits may send what they like. */
export const createReplayWatch = (clock: Clock, log: Log, isExempt: (ip: string) => boolean): ReplayWatch => {
  const limiter = openRateLimiter(clock, 'replays')
  return {
    async isReplayed({ ip, authenticity }) {
      if (isExempt(ip)) return false
      for (const { result, signature, domain, selector } of authenticity.dkim) {
        if (result !== 'pass' || signature === null) continue
        if ((await limiter.take(`signature ${signature}`, COPIES)).allowed) continue
        if ((await limiter.take(`alert ${signature}`, ALERTS)).allowed)
          log.error({ ip, domain, selector }, 'a signed message is sent here again and again')
        return true
      }
      return false
    },
  }
}
