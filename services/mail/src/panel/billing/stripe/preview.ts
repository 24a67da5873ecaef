import type Stripe from 'stripe'
import type { PreviewRequest, ProviderPreview } from '../provider.ts'
import { ask, toDate, withNewKey } from './client.ts'
import { itemOf } from './read-subscription.ts'

const DAY_SECONDS = 86_400

type Options = { collectsTax: boolean }

/** Computes a preview; nothing is changed at Stripe. */
export const preview = (stripe: Stripe, request: PreviewRequest, options: Options): Promise<ProviderPreview> =>
  request.subscription === null
    ? previewFirst(stripe, request, options)
    : previewChange(stripe, { ...request, subscription: request.subscription })

const previewFirst = async (
  stripe: Stripe,
  { customer, price, trialDays }: PreviewRequest & { subscription: null },
  { collectsTax }: Options,
): Promise<ProviderPreview> => {
  const invoice = await ask(() =>
    stripe.invoices.createPreview(
      {
        customer,
        subscription_details: { items: [{ price, quantity: 1 }] },
        ...(collectsTax && { automatic_tax: { enabled: true } }),
      },
      withNewKey(),
    ),
  )
  const { currency, amount_due, total } = invoice
  if (trialDays === 0) return { dueNowCents: amount_due, currency, nextCents: total, nextAt: endOf(invoice) }
  return { dueNowCents: 0, currency, nextCents: total, nextAt: toDate(invoice.created + trialDays * DAY_SECONDS) }
}

/** With the invoice of now, if there is one, and that of the next period. */
const previewChange = async (
  stripe: Stripe,
  { customer, subscription, price, later }: PreviewRequest & { subscription: string },
): Promise<ProviderPreview> => {
  const before = await ask(() => stripe.subscriptions.retrieve(subscription))
  const item = itemOf(before)
  const invoiceOf = (preview_mode: 'next' | 'recurring', proration_behavior: 'always_invoice' | 'none') => {
    // A subscription that was to end continues with the new plan.
    const goesOn = before.cancel_at_period_end ? { cancel_at_period_end: false } : {}
    const subscription_details = { items: [{ id: item.id, price }], proration_behavior, ...goesOn }
    return ask(() =>
      stripe.invoices.createPreview({ customer, subscription, subscription_details, preview_mode }, withNewKey()),
    )
  }
  const next = await invoiceOf('recurring', 'none')
  const then = { currency: next.currency, nextCents: next.total }
  // A trial goes on: its end is the next payment.
  if (later || before.status === 'trialing') return { ...then, dueNowCents: 0, nextAt: toDate(item.current_period_end) }
  const now = await invoiceOf('next', 'always_invoice')
  return { ...then, dueNowCents: Math.max(now.amount_due, 0), nextAt: endOf(now) }
}

/** Until when the invoice pays. */
const endOf = ({ lines, period_end }: Stripe.Invoice): Date =>
  toDate(Math.max(period_end, ...lines.data.map(({ period }) => period.end)))
