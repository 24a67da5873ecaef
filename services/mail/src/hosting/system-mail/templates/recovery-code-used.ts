import type { MailContent } from '../mail-content.ts'

/** After somebody signed in without the authenticator app. */
export const recoveryCodeUsed = ({ left, accountUrl }: { left: number; accountUrl: string }): MailContent => ({
  subject: 'A recovery code was used',
  paragraphs: [
    `Somebody signed in to your account with your password and a recovery code. ${left} of your recovery codes are left.`,
    'If it was not you, change your password now.',
  ],
  action: { label: 'Open your account', url: accountUrl },
})
