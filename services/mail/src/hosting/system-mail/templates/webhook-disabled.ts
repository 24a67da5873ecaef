import type { MailContent } from '../mail-content.ts'

type Facts = {
  /** Of its address, whose rest may hold a secret of the receiver. */
  host: string
  reason: 'gone' | 'failing'
  url: string
}

/** When an endpoint was switched off because of how it answers. */
export const webhookDisabled = ({ host, reason, url }: Facts): MailContent => ({
  subject: `The webhook at ${host} was switched off`,
  paragraphs: [
    reason === 'gone'
      ? `The webhook at ${host} answered 410 Gone, which asks us to send nothing more.`
      : `Every delivery to the webhook at ${host} has failed for five days.`,
    'It gets no events from now on. What it missed stays stored for 30 days: switch it on again, and each event can be sent again from the panel.',
  ],
  action: { label: 'Open the webhook', url },
})
