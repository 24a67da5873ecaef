import type { MailContent } from '../mail-content.ts'

/** When an invoice was paid after all. */
export const paymentReceived = ({ wasStopped, url }: { wasStopped: boolean; url: string }): MailContent => ({
  subject: 'Thank you, your invoice is paid',
  paragraphs: [
    wasStopped
      ? 'We received your payment. Your account sends mail again and has everything of your plan.'
      : 'We received your payment. Your plan goes on without interruption.',
  ],
  action: { label: 'Open billing', url },
})
