import { dayOf, type MailContent } from '../mail-content.ts'

type Facts = { loweredAt: Date; url: string }

/** When an invoice is unpaid for so long that the limits are about to be those of the free plan. */
export const limitsLoweredSoon = ({ loweredAt, url }: Facts): MailContent => ({
  subject: 'Your account moves to free plan limits in a week',
  paragraphs: [
    `Your invoice is still unpaid. On ${dayOf(loweredAt)}, the limits of the free plan will apply to your account.`,
    "Nothing will be deleted, but you can't add anything beyond those limits, and full mailboxes won't receive new mail.",
  ],
  action: { label: 'Pay invoice', url },
})

/** When they are. */
export const limitsLowered = ({ url }: Facts): MailContent => ({
  subject: 'Your account is now on free plan limits',
  paragraphs: [
    "Your invoice has been unpaid for 44 days, so the limits of the free plan now apply. Nothing was deleted, but you can't add anything beyond those limits, and full mailboxes won't receive new mail.",
    'Pay the invoice or subscribe again to get your plan back immediately.',
  ],
  action: { label: 'View billing', url },
  footnote: "You're receiving this email even if you turned off billing emails, because your account's limits changed.",
})
