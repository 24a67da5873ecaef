import type { MailContent } from '../mail-content.ts'

/** The last mail about security: an attacker who took over an account would switch them off first. */
export const securityMailsOff = ({ accountUrl }: { accountUrl: string }): MailContent => ({
  subject: 'Security emails are turned off',
  paragraphs: [
    "You'll no longer get emails about changes to your password, email address or two-factor authentication.",
    "If this wasn't you, change your password now.",
  ],
  action: { label: 'View account', url: accountUrl },
})
