import type { Clock } from '@stoa/kit/clock.ts'
import { limitKeyOf } from '@stoa/kit/http/client-address.ts'
import { openRateLimiter } from '@stoa/kit/http/rate-limit.ts'

/** How much mail one peer and one sender may bring to this machine. */
export type MailRates = { allows(mail: { ip: string; from: string }): Promise<boolean> }

/** Far above what any single host or person sends here in a minute. */
const PER_IP = { limit: 1_000, windowSeconds: 60 }
const PER_SENDER = { limit: 300, windowSeconds: 60 }

export const createMailRates = (
  clock: Clock,
  { perIp = PER_IP, perSender = PER_SENDER, isExempt = (_ip: string): boolean => false } = {},
): MailRates => {
  const limiter = openRateLimiter(clock, 'mail')
  return {
    async allows({ ip, from }) {
      if (isExempt(ip)) return true
      // Reports of failures have no sender; they are counted by host only.
      const isSender = from === '' || (await limiter.take(`from ${from.toLowerCase()}`, perSender)).allowed
      return (await limiter.take(`ip ${limitKeyOf(ip)}`, perIp)).allowed && isSender
    },
  }
}
