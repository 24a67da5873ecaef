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
      `Your last invoice is still unpaid. If it isn't paid by ${dayOf(stopsAt)}, your account can no longer send mail from mail apps, webmail or the API.`,
      "You'll keep receiving mail, and nothing is deleted. Everything works again as soon as the invoice is paid.",
    ],
    action: { label: 'Pay invoice', url },
  }
}

/** When it stopped. */
export const sendingStopped = ({ loweredAt, url }: Facts): MailContent => ({
  subject: 'Sending has stopped: your invoice is unpaid',
  paragraphs: [
    "Your invoice has been unpaid for 14 days, so your account can no longer send mail. You'll keep receiving mail, and nothing is deleted.",
    `Pay the invoice to send again immediately. If it's still unpaid on ${dayOf(loweredAt)}, the limits of the free plan will apply.`,
  ],
  action: { label: 'Pay invoice', url },
  footnote:
    "You're receiving this email even if you turned off billing emails, because your account can no longer send mail.",
})
