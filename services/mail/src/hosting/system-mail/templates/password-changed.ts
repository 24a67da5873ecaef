import type { MailContent } from '../mail-content.ts'

/** After the password of an account was changed or reset. */
export const passwordChanged = ({ forgotUrl }: { forgotUrl: string }): MailContent => ({
  subject: 'Your password was changed',
  paragraphs: [
    'The password for your account was changed, and other devices were signed out.',
    "If this wasn't you, reset your password right away.",
  ],
  action: { label: 'Reset password', url: forgotUrl },
})
