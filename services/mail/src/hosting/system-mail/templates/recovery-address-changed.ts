import type { MailContent } from '../mail-content.ts'

/** To the mailbox, and to the recovery address that it had. */
export const recoveryAddressChanged = ({ email, recoveryEmail }: RecoveryChange): MailContent => ({
  subject: `The recovery address for ${email} was changed`,
  paragraphs: [
    recoveryEmail === null
      ? `The mailbox ${email} no longer has a recovery address.`
      : `The password for the mailbox ${email} can now be reset with ${recoveryEmail}.`,
    "If you didn't expect this, contact your administrator.",
  ],
})

type RecoveryChange = { email: string; recoveryEmail: string | null }
