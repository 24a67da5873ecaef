import type { MailContent } from '../mail-content.ts'

/** The last mail about security: whoever took over an account would switch them off first. */
export const securityMailsOff = ({ accountUrl }: { accountUrl: string }): MailContent => ({
  subject: 'Mails about security are switched off',
  paragraphs: [
    'From now on you get no mails about changes of your password, your e-mail address and two-factor sign-in.',
    'If it was not you, change your password now.',
  ],
  action: { label: 'Open your account', url: accountUrl },
})
