import type { MailContent } from '../mail-content.ts'

/** After two-factor sign-in was switched on or off. */
export const twoFactorChanged = ({ isOn, accountUrl }: { isOn: boolean; accountUrl: string }): MailContent => ({
  subject: `Two-factor sign-in is ${isOn ? 'on' : 'off'}`,
  paragraphs: [
    isOn
      ? 'Your account now asks for a code of your authenticator app at sign-in. Keep your recovery codes in a safe place.'
      : 'Your account does not ask for a code at sign-in any more.',
    'If it was not you, change your password now.',
  ],
  action: { label: 'Open your account', url: accountUrl },
})
