import type { MailContent } from '../mail-content.ts'

/** To a user who forgot the password of their account. */
export const resetPassword = ({ url }: { url: string }): MailContent => ({
  subject: 'Reset your password',
  paragraphs: ['Someone requested a password reset for your account. If this was you, choose a new password.'],
  action: { label: 'Reset your password', url },
  footnote: "This link works once, for 60 minutes. If this wasn't you, ignore this email. Your password won't change.",
})
