import type { TransferSecurity } from '@stoa/mail-model/transfers.ts'

/** A place that people leave, with what has to be known about it. */
export type SourcePreset = {
  id: string
  name: string
  host: string
  port: number
  security: TransferSecurity
  /** The first step at that provider. */
  hint: string
  /** The format of the user name, where it is not the whole address. */
  username?: string
}

const TLS = { port: 993, security: 'tls' } as const

export const presets: readonly SourcePreset[] = [
  {
    id: 'gmail',
    name: 'Gmail',
    host: 'imap.gmail.com',
    ...TLS,
    hint: 'Google requires an app password. Turn on 2-Step Verification in your Google account, then create one under Security > App passwords.',
  },
  {
    id: 'microsoft',
    name: 'Outlook.com and Microsoft 365',
    host: 'outlook.office365.com',
    ...TLS,
    hint: "Microsoft doesn't allow passwords over IMAP for most accounts, not even app passwords. If sign-in fails, move the mail to another IMAP mailbox with a mail app first and transfer that one.",
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    host: 'imap.fastmail.com',
    ...TLS,
    hint: 'Fastmail requires an app password with access to mail. Create one under Settings > Privacy & Security.',
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    host: 'imap.mail.me.com',
    ...TLS,
    hint: 'Apple requires an app-specific password. Sign in at account.apple.com and create one under Sign-In and Security.',
    username: 'Usually the part before @icloud.com.',
  },
  {
    id: 'yahoo',
    name: 'Yahoo Mail',
    host: 'imap.mail.yahoo.com',
    ...TLS,
    hint: 'Yahoo requires an app password. Create one under Account Security.',
  },
  {
    id: 'gmx',
    name: 'GMX',
    host: 'imap.gmx.net',
    ...TLS,
    hint: 'Turn on POP3 and IMAP in the GMX settings first. With two-factor authentication, you need an application-specific password.',
  },
  {
    id: 'zoho',
    name: 'Zoho Mail',
    host: 'imap.zoho.com',
    ...TLS,
    hint: 'Turn on IMAP access in the Zoho Mail settings. With two-factor authentication, you need an application-specific password.',
  },
]

/** Any other server. */
export const OTHER = 'other'

export const presetOf = (id: string): SourcePreset | undefined => presets.find((preset) => preset.id === id)

/** The place that a server belongs to, for a transfer that is started again. */
export const presetAt = (host: string): string => presets.find((preset) => preset.host === host)?.id ?? OTHER

const PRIVATE =
  /^(?:localhost|.*\.(?:localhost|local|internal|lan|home|intranet)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|169\.254\..*|0\..*|\[?(?:::1|f[cd][\da-f]{2}:.*|fe80:.*)\]?)$/i

/** Whether a name is of a network that the service does not look into, unless its operator allows it. */
export const isPrivateHost = (host: string): boolean => PRIVATE.test(host.trim())

/** Lines of a text as paths; empty ones count for nothing. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
