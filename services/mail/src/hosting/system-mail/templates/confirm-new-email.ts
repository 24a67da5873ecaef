import type { MailContent } from '../mail-content.ts'

/** To the new address of an account, before it takes effect. */
export const confirmNewEmail = ({ url, oldEmail }: { url: string; oldEmail: string }): MailContent => ({
  subject: 'Confirm your new email address',
  paragraphs: [`Confirm this address to use it for the account of ${oldEmail}.`],
  action: { label: 'Confirm email address', url },
  footnote: "This link works once, for 24 hours. If this isn't your account, ignore this email.",
})
