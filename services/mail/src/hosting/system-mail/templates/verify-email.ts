import type { MailContent } from '../mail-content.ts'

/** To a user who signed up, or asked for another link. */
export const verifyEmail = ({ url }: { url: string }): MailContent => ({
  subject: 'Confirm your email address',
  paragraphs: ['Welcome! Please confirm your email address.'],
  action: { label: 'Confirm email address', url },
  footnote: "This link works once, for 24 hours. If you didn't sign up, ignore this email.",
})
