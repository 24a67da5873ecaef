import type { MailContent } from '../mail-content.ts'

/** To the address that an account still has. */
export const emailChangeRequested = ({
  newEmail,
  accountUrl,
}: {
  newEmail: string
  accountUrl: string
}): MailContent => ({
  subject: 'Your email address is about to change',
  paragraphs: [
    `Someone signed in to your account requested to change its email address to ${newEmail}.`,
    "Nothing changes until the new address is confirmed. If this wasn't you, change your password now.",
  ],
  action: { label: 'View account', url: accountUrl },
})
