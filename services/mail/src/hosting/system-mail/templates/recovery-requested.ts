import type { MailContent } from '../mail-content.ts'

/** To the recovery address that a mailbox had until a short while ago. */
export const recoveryRequested = ({ email }: { email: string }): MailContent => ({
  subject: `Somebody recovers the mailbox ${email}`,
  paragraphs: [
    `A new password was asked for the mailbox ${email}. The link went to its recovery address, which was yours until a short while ago.`,
    'If neither was you, write to whoever runs the domain at once.',
  ],
})
