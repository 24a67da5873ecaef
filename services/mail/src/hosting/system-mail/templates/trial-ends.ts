import { dayOf, type MailContent } from '../mail-content.ts'

type Facts = { endsAt: Date; priceCents: number; currency: string; url: string }

/** A few days before the first charge. */
export const trialEnds = ({ endsAt, priceCents, currency, url }: Facts): MailContent => {
  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(priceCents / 100)
  return {
    subject: `Your trial ends on ${dayOf(endsAt)}`,
    paragraphs: [
      `Your trial ends on ${dayOf(endsAt)}. From then on your plan costs ${price} per period, charged to your default payment method.`,
      "If you don't want to continue, cancel before that date and you won't be charged.",
    ],
    action: { label: 'View billing', url },
  }
}
