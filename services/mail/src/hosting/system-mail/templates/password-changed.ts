import type { MailContent } from '../mail-content.ts'

/** After the password of an account was changed or reset. */
export const passwordChanged = ({ forgotUrl }: { forgotUrl: string }): MailContent => ({
  subject: 'Your password was changed',
  paragraphs: [
    'The password of your account was changed, and sessions on other devices were ended.',
    'If it was not you, ask for a new password at once.',
  ],
  action: { label: 'Ask for a new password', url: forgotUrl },
})
