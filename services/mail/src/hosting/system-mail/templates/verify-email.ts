import type { MailContent } from '../mail-content.ts'

/** To whoever signed up, or asked again. */
export const verifyEmail = ({ url }: { url: string }): MailContent => ({
  subject: 'Confirm your e-mail address',
  paragraphs: ['Welcome. Please confirm that this is your e-mail address.'],
  action: { label: 'Confirm the address', url },
  footnote: 'The link works once, for 24 hours. If you did not sign up, do nothing.',
})
