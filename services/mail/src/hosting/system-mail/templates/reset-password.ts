import type { MailContent } from '../mail-content.ts'

/** To whoever forgot the password of their account. */
export const resetPassword = ({ url }: { url: string }): MailContent => ({
  subject: 'Choose a new password',
  paragraphs: ['Somebody asked for a new password for your account. If it was you, choose one here.'],
  action: { label: 'Choose a new password', url },
  footnote: 'The link works once, for 60 minutes. If it was not you, do nothing: your password stays as it is.',
})
