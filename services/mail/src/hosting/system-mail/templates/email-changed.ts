import type { MailContent } from '../mail-content.ts'

/** To the address that an account had before. */
export const emailChanged = ({ newEmail }: { newEmail: string }): MailContent => ({
  subject: 'Your email address was changed',
  paragraphs: [
    `Your account now uses ${newEmail}. You can no longer sign in with this address.`,
    "If this wasn't you, contact the owner of this service right away.",
  ],
})
