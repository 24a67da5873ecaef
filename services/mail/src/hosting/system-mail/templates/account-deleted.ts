import type { MailContent } from '../mail-content.ts'

/** To the address of an account that is no more. */
export const accountDeleted = (): MailContent => ({
  subject: 'Your account was deleted',
  paragraphs: [
    "Your account was deleted, along with its domains, addresses and mail. This can't be undone.",
    "If this wasn't you, contact the owner of this service right away.",
  ],
})
