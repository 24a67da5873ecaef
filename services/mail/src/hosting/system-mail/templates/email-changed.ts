import type { MailContent } from '../mail-content.ts'

/** To the address that an account had before. */
export const emailChanged = ({ newEmail }: { newEmail: string }): MailContent => ({
  subject: 'Your e-mail address was changed',
  paragraphs: [
    `Your account now belongs to ${newEmail}. This address does not sign in any more.`,
    'If it was not you, write to whoever runs this service at once.',
  ],
})
