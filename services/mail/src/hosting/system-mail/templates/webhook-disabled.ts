import type { MailContent } from '../mail-content.ts'

type Facts = {
  /** The host of the webhook's URL, whose rest may hold a secret of the receiver. */
  host: string
  reason: 'gone' | 'failing'
  url: string
}

/** When an endpoint was switched off because of how it answers. */
export const webhookDisabled = ({ host, reason, url }: Facts): MailContent => ({
  subject: `The webhook at ${host} was turned off`,
  paragraphs: [
    reason === 'gone'
      ? `The webhook at ${host} returned 410 Gone, which tells us to stop sending events.`
      : `Every delivery to the webhook at ${host} has failed for five days.`,
    'It no longer receives events. Missed events are kept for 30 days. Turn the webhook on again to replay them.',
  ],
  action: { label: 'View webhook', url },
})
