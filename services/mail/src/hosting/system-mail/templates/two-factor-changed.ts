import type { MailContent } from '../mail-content.ts'

/** After two-factor authentication was switched on or off. */
export const twoFactorChanged = ({ isOn, accountUrl }: { isOn: boolean; accountUrl: string }): MailContent => ({
  subject: `Two-factor authentication is ${isOn ? 'on' : 'off'}`,
  paragraphs: [
    isOn
      ? "You'll now need a code from your authenticator app to sign in. Keep your recovery codes in a safe place."
      : 'You no longer need a code to sign in.',
    "If this wasn't you, change your password now.",
  ],
  action: { label: 'View account', url: accountUrl },
})
