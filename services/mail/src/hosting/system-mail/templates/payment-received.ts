import type { MailContent } from '../mail-content.ts'

/** When an invoice was paid after all. */
export const paymentReceived = ({ wasStopped, url }: { wasStopped: boolean; url: string }): MailContent => ({
  subject: 'Payment received',
  paragraphs: [
    wasStopped
      ? 'Thank you for your payment. Your account can send mail again and has all features of your plan.'
      : 'Thank you for your payment. Your plan continues without interruption.',
  ],
  action: { label: 'View billing', url },
})
