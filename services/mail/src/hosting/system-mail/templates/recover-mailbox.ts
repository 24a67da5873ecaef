import type { MailContent } from '../mail-content.ts'

/** To the recovery address of a mailbox. */
export const recoverMailbox = ({ url, email }: { url: string; email: string }): MailContent => ({
  subject: `Choose a new password for ${email}`,
  paragraphs: [`Somebody asked for a new password for the mailbox ${email}, whose recovery address this is.`],
  action: { label: 'Choose a new password', url },
  footnote: 'The link works once, for 60 minutes. If it was not you, do nothing: the password stays as it is.',
})
