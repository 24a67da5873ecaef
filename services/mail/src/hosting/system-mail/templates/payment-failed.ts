import { dayOf, type MailContent } from '../mail-content.ts'

/** When an invoice could not be paid. */
export const paymentFailed = ({ stopsAt, url }: { stopsAt: Date; url: string }): MailContent => ({
  subject: 'Your payment failed',
  paragraphs: [
    "We couldn't charge your payment method for your plan. We'll try again, and nothing changes for now.",
    `Check your payment method or pay the invoice. If it's still unpaid on ${dayOf(stopsAt)}, your account won't be able to send mail. You'll keep receiving mail either way.`,
  ],
  action: { label: 'View billing', url },
})
