import { EgressFailed, EgressRefused, type RefusalReason } from '@stoa/kit/egress/errors.ts'
import type { Ctx } from '../context.ts'
import { fail } from '../errors.ts'

/**
 * The address as it will be called, if events may be sent there. A name that nobody knows yet is taken, because a
 * website is often not there when its webhook is made; every attempt checks again whom the name stands for then.
 */
export const checkTarget = async (ctx: Ctx, text: string): Promise<string> => {
  try {
    return (await ctx.webhooks.egress.check(text)).url
  } catch (error) {
    if (error instanceof EgressRefused && error.reason !== 'no_address') return refuse(ctx, error.reason, error)
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error
    const url = new URL(text)
    if (!ctx.webhooks.egress.allowPrivate && isInnerName(url.hostname)) return refuse(ctx, 'not_public', error)
    return url.href
  }
}

type Refusal = Exclude<RefusalReason, 'no_address'>

const refuse = (ctx: Ctx, reason: Refusal, cause: unknown): never => {
  const message = reason === 'scheme' && ctx.webhooks.egress.allowPrivate ? ANY_HTTP : MESSAGES[reason]
  return fail('WEBHOOK_TARGET_REFUSED', { details: { fields: [{ key: 'url', message }] }, cause })
}

const ANY_HTTP = 'must start with http:// or https://'

const MESSAGES: Record<Refusal, string> = {
  invalid_url: 'must be an address such as https://www.example.com/hook',
  scheme: 'must start with https://',
  port: 'must be on port 443 or 8443',
  credentials: 'must not contain a user name or password',
  not_public: 'must be on the public internet; the operator can allow others with WEBHOOK_ALLOW_PRIVATE',
}

/** Names that are never public: without a dot, or under the suffixes of local networks (RFC 6762, RFC 8375, ICANN). */
const isInnerName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(local|internal|home\.arpa)$/.test(name)
}
