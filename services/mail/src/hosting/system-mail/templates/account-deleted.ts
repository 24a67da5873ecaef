import type { MailContent } from '../mail-content.ts'

/** To the address of an account that is no more. */
export const accountDeleted = (): MailContent => ({
  subject: 'Your account was deleted',
  paragraphs: [
    'Your account was deleted with its domains, its addresses and their mail. None of it can be brought back.',
    'If it was not you, write to whoever runs this service at once.',
  ],
})
