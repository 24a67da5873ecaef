import { checkTarget as check, type TargetRefusal } from '@stoa/kit/webhooks/target.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'

/** The address as it will be called, if events may be sent there. */
export const checkTarget = (ctx: Ctx, text: string): string => {
  const { egress } = ctx.webhooks
  const checked = check(egress, text)
  if ('url' in checked) return checked.url
  const message = checked.refused === 'scheme' && egress.allowPrivate ? ANY_HTTP : MESSAGES[checked.refused]
  return fail('WEBHOOK_TARGET_REFUSED', { details: { fields: [{ key: 'url', message }] }, cause: checked.cause })
}

const ANY_HTTP = 'must start with http:// or https://'

const MESSAGES: Record<TargetRefusal, string> = {
  invalid_url: 'must be an address such as https://www.example.com/hook',
  scheme: 'must start with https://',
  port: 'must be on port 443 or 8443',
  credentials: 'must not contain a user name or password',
  not_public: 'must be on the public internet; the operator can allow others with WEBHOOK_ALLOW_PRIVATE',
}
