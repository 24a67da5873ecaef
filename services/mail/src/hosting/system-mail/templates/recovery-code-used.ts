import type { MailContent } from '../mail-content.ts'

/** After somebody signed in without the authenticator app. */
export const recoveryCodeUsed = ({ left, accountUrl }: { left: number; accountUrl: string }): MailContent => ({
  subject: 'A recovery code was used',
  paragraphs: [
    `Someone signed in to your account with your password and a recovery code. You have ${left} recovery codes left.`,
    "If this wasn't you, change your password now.",
  ],
  action: { label: 'View account', url: accountUrl },
})
