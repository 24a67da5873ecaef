import type { TransferSecurity } from '@stoa/mail-model/transfers.ts'

/** A place that people leave, with what has to be known about it. */
export type SourcePreset = {
  id: string
  name: string
  host: string
  port: number
  security: TransferSecurity
  /** What to do there first. */
  hint: string
  /** What the user name is, where it is not the whole address. */
  username?: string
}

const TLS = { port: 993, security: 'tls' } as const

export const presets: readonly SourcePreset[] = [
  {
    id: 'gmail',
    name: 'Gmail',
    host: 'imap.gmail.com',
    ...TLS,
    hint: 'Google wants an app password: switch on 2-Step Verification in your Google account, then make one under Security, App passwords. Your usual password is refused.',
  },
  {
    id: 'microsoft',
    name: 'Outlook.com and Microsoft 365',
    host: 'outlook.office365.com',
    ...TLS,
    hint: 'Microsoft refuses passwords over IMAP for most accounts, app passwords as well. If yours is refused, drag the mail into another IMAP mailbox with a mail program first, and transfer that one.',
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    host: 'imap.fastmail.com',
    ...TLS,
    hint: 'Make an app password with access to mail under Settings, Privacy & Security. Your usual password is refused.',
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    host: 'imap.mail.me.com',
    ...TLS,
    hint: 'Apple wants an app-specific password: sign in at account.apple.com and make one under Sign-In and Security.',
    username: 'Usually the part before @icloud.com.',
  },
  {
    id: 'yahoo',
    name: 'Yahoo Mail',
    host: 'imap.mail.yahoo.com',
    ...TLS,
    hint: 'Yahoo wants an app password: make one under Account Security.',
  },
  {
    id: 'gmx',
    name: 'GMX',
    host: 'imap.gmx.net',
    ...TLS,
    hint: 'Allow POP3 and IMAP in the settings of GMX first. With two-factor sign-in it wants an application-specific password.',
  },
  {
    id: 'zoho',
    name: 'Zoho Mail',
    host: 'imap.zoho.com',
    ...TLS,
    hint: 'Switch on IMAP access in the settings of Zoho Mail. With two-factor sign-in it wants an application-specific password.',
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
