import type { MailContent } from '../mail-content.ts'

/** After the owner of the instance reset the sign-in of an account. */
export const signInReset = ({ url, isTotpOff }: { url: string; isTotpOff: boolean }): MailContent => ({
  subject: 'Your sign-in was reset',
  paragraphs: [
    'The owner of this service signed you out on all devices and asks you to choose a new password.',
    ...(isTotpOff ? ['Two-factor authentication is off. You can turn it on again in your account.'] : []),
  ],
  action: { label: 'Choose a new password', url },
  footnote: 'This link works once, for 60 minutes. After that, use "Forgot password?" on the sign-in page.',
})
