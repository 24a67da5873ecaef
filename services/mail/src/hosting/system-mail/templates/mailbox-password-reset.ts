import type { MailContent } from '../mail-content.ts'

/** To the recovery address, after the password of a mailbox was reset through it. */
export const mailboxPasswordReset = ({ email }: { email: string }): MailContent => ({
  subject: `The password for ${email} was changed`,
  paragraphs: [
    `The password for the mailbox ${email} was changed. Its app passwords were revoked and all webmail sessions were signed out.`,
    "If this wasn't you, contact your administrator right away.",
  ],
})
