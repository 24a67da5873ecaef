import type { MailContent } from '../mail-content.ts'

/** To the recovery address of a mailbox. */
export const recoverMailbox = ({ url, email }: { url: string; email: string }): MailContent => ({
  subject: `Choose a new password for ${email}`,
  paragraphs: [`Someone requested a new password for the mailbox ${email}. This is its recovery address.`],
  action: { label: 'Choose a new password', url },
  footnote: "This link works once, for 60 minutes. If this wasn't you, ignore this email. The password won't change.",
})
