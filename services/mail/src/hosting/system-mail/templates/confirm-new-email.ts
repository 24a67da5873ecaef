import type { MailContent } from '../mail-content.ts'

/** To the new address of an account, before it takes effect. */
export const confirmNewEmail = ({ url, oldEmail }: { url: string; oldEmail: string }): MailContent => ({
  subject: 'Confirm your new e-mail address',
  paragraphs: [`The account of ${oldEmail} is to use this address from now on. It does once you confirm it.`],
  action: { label: 'Use this address', url },
  footnote: 'The link works once, for 24 hours. If this is not your account, do nothing.',
})
