import type { MailContent } from '../mail-content.ts'

/** To the address that an account still has. */
export const emailChangeRequested = ({
  newEmail,
  accountUrl,
}: {
  newEmail: string
  accountUrl: string
}): MailContent => ({
  subject: 'Your e-mail address is about to change',
  paragraphs: [
    `Somebody who is signed in to your account and knows its password asked to change its e-mail address to ${newEmail}.`,
    'Nothing changes before the new address is confirmed. If it was not you, change your password now.',
  ],
  action: { label: 'Open your account', url: accountUrl },
})
