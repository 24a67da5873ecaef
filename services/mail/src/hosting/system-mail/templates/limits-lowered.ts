import { dayOf, type MailContent } from '../mail-content.ts'

type Facts = { loweredAt: Date; url: string }

/** When an invoice is unpaid for so long that the limits are about to be those of the free plan. */
export const limitsLoweredSoon = ({ loweredAt, url }: Facts): MailContent => ({
  subject: 'Your account moves to the limits of the free plan in a week',
  paragraphs: [
    `Your invoice is still unpaid. On ${dayOf(loweredAt)} your account gets the limits of the free plan.`,
    'Nothing is deleted then, but you cannot add anything beyond those limits, and a mailbox without room left takes no new mail.',
  ],
  action: { label: 'Pay the invoice', url },
})

/** When they are. */
export const limitsLowered = ({ url }: Facts): MailContent => ({
  subject: 'Your account now has the limits of the free plan',
  paragraphs: [
    'Your invoice has been unpaid for 44 days, so your account now has the limits of the free plan. Nothing was deleted, but you cannot add anything beyond those limits, and a mailbox without room left takes no new mail.',
    'Pay the invoice or subscribe again, and your plan is back at once.',
  ],
  action: { label: 'Open billing', url },
  footnote: 'You get this mail even if you turned off mails about billing, because the limits of your account changed.',
})
