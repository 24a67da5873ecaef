import { dayOf, type MailContent } from '../mail-content.ts'

/** When an invoice could not be paid. */
export const paymentFailed = ({ stopsAt, url }: { stopsAt: Date; url: string }): MailContent => ({
  subject: 'Your payment failed',
  paragraphs: [
    'We could not charge your payment method for your plan. We will try again, and nothing changes for now.',
    `Check your payment method or pay the invoice. If it is still unpaid on ${dayOf(stopsAt)}, your account stops sending mail. It keeps receiving mail either way.`,
  ],
  action: { label: 'Open billing', url },
})
