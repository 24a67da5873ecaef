import type { MailContent } from '../mail-content.ts'

/** To the recovery address that a mailbox had until a short while ago. */
export const recoveryRequested = ({ email }: { email: string }): MailContent => ({
  subject: `Password reset requested for ${email}`,
  paragraphs: [
    `Someone requested a new password for the mailbox ${email}. We sent a link to its recovery address, which was changed recently and used to be yours.`,
    "If this wasn't you, contact your administrator right away.",
  ],
})
