import type { MailContent } from '../mail-content.ts'

/** To the mailbox, and to the recovery address that it had. */
export const recoveryAddressChanged = ({ email, recoveryEmail }: RecoveryChange): MailContent => ({
  subject: `The recovery address of ${email} was changed`,
  paragraphs: [
    recoveryEmail === null
      ? `The mailbox ${email} has no recovery address any more.`
      : `A forgotten password of the mailbox ${email} can now be reset through ${recoveryEmail}.`,
    'If you did not expect this, write to whoever runs the domain.',
  ],
})

type RecoveryChange = { email: string; recoveryEmail: string | null }
