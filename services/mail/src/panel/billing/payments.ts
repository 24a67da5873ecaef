import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../config.ts'
import type { PaymentProvider } from './provider.ts'

/** Null when plans are off or nobody is configured to take payments, and in a process that only moves mail. */
export const openPayments = async (
  { billing, payment, roles }: Pick<Config, 'billing' | 'payment' | 'roles'>,
  log: Log,
): Promise<PaymentProvider | null> => {
  const { secretKey } = payment
  if (billing === 'off' || secretKey === null) return null
  if (!roles.has('http') && !roles.has('worker')) return null
  if (payment.webhookSecrets.length === 0)
    log.warn('STRIPE_WEBHOOK_SECRET is missing: payments are only noticed once a day')
  const { createStripe } = await import('./stripe/stripe.ts')
  return createStripe({ ...payment, secretKey })
}
