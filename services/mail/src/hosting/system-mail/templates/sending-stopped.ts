import { dayOf, type MailContent } from '../mail-content.ts'

type Facts = { stopsAt: Date; loweredAt: Date; now: Date; url: string }

const DAY_MS = 86_400_000

/** When an invoice is unpaid for so long that sending is about to stop. */
export const sendingStopsSoon = ({ stopsAt, now, url }: Facts): MailContent => {
  const days = Math.max(1, Math.ceil((stopsAt.getTime() - now.getTime()) / DAY_MS))
  const when = days === 1 ? 'tomorrow' : `in ${days} days`
  return {
    subject: `Sending stops ${when}: your invoice is unpaid`,
    paragraphs: [
      `Your last invoice is still unpaid. If it is not paid by ${dayOf(stopsAt)}, your account stops sending mail: from mail programs, the webmail and the API.`,
      'You keep receiving mail, and nothing is deleted. Everything works again as soon as the invoice is paid.',
    ],
    action: { label: 'Pay the invoice', url },
  }
}

/** When it stopped. */
export const sendingStopped = ({ loweredAt, url }: Facts): MailContent => ({
  subject: 'Sending has stopped: your invoice is unpaid',
  paragraphs: [
    'Your invoice has been unpaid for 14 days, so your account no longer sends mail. You keep receiving mail, and nothing is deleted.',
    `Pay the invoice to send again at once. If it is still unpaid on ${dayOf(loweredAt)}, your account gets the limits of the free plan.`,
  ],
  action: { label: 'Pay the invoice', url },
  footnote: 'You get this mail even if you turned off mails about billing, because your account stopped sending.',
})
