import type { MailContent } from '../mail-content.ts'

/** To whoever signed up, or asked again. */
export const verifyEmail = ({ url }: { url: string }): MailContent => ({
  subject: 'Confirm your email address',
  paragraphs: ['Welcome! Please confirm your email address.'],
  action: { label: 'Confirm email address', url },
  footnote: "This link works once, for 24 hours. If you didn't sign up, ignore this email.",
})
