import { secretUrl, text } from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf } from '@stoa/kit/config.ts'
import { isLoopbackHost, parseHost } from '@stoa/kit/egress/address.ts'
import { Secret } from '@stoa/kit/secret.ts'

export const smtpVariables = {
  SMTP_URL: secretUrl(
    'smtp',
    'smtps',
  )({
    doc: 'Mail server for invitations and password resets, like smtps://user:password@mail.example.com. Without it, no email is sent. With smtp:// (port 587), STARTTLS is required, except on this machine.',
  }),
  MAIL_FROM: text({
    defaultText: 'noreply@ the host of PUBLIC_URL',
    doc: 'Sender address of these emails.',
  }),
}

/** The server that takes mail of the service. */
export type Smtp = {
  readonly host: string
  readonly port: number
  /** Whether the SMTP server runs on this machine. */
  readonly isLocal: boolean
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly isImplicitTls: boolean
  readonly user: string | null
  readonly password: Secret | null
  /** The sender's address. */
  readonly from: string
}

/** RFC 8314 §3.3, RFC 6409 §3.1. */
const PORT_OF_TLS = 465
const PORT_OF_SUBMISSION = 587

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/

/** Null: nothing is mailed. */
export const readSmtp = (
  { SMTP_URL: given, MAIL_FROM: sender }: ConfigOf<typeof smtpVariables>,
  publicUrl: string,
): Smtp | null => {
  if (given === undefined) return null
  const from = sender ?? `noreply@${new URL(publicUrl).hostname}`
  if (!ADDRESS.test(from))
    throw new ConfigError([{ name: 'MAIL_FROM', problem: 'Enter an address like noreply@example.com.' }])
  const { protocol, hostname, port, username, password } = new URL(given.reveal())
  const isImplicitTls = protocol === 'smtps:'
  const parsed = parseHost(hostname)
  if (parsed === null) throw new ConfigError([{ name: 'SMTP_URL', problem: 'Enter the host of the mail server.' }])
  return {
    host: parsed.kind === 'name' ? parsed.name : parsed.address,
    port: port === '' ? (isImplicitTls ? PORT_OF_TLS : PORT_OF_SUBMISSION) : Number(port),
    isLocal: isLoopbackHost(parsed),
    isImplicitTls,
    user: username === '' ? null : decode(username),
    password: username === '' ? null : new Secret(decode(password)),
    from,
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError([{ name: 'SMTP_URL', problem: 'Write % in the username or password as %25.' }])
  }
}
