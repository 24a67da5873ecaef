import type { MailContent } from '../mail-content.ts'

/** To the recovery address, after the password of a mailbox was reset through it. */
export const mailboxPasswordReset = ({ email }: { email: string }): MailContent => ({
  subject: `The password of ${email} was changed`,
  paragraphs: [
    `The mailbox ${email} has a new password. Its app passwords and webmail sessions were ended.`,
    'If it was not you, write to whoever runs the domain at once.',
  ],
})
