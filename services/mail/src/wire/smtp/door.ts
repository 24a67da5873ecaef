import type { Clock } from '@stoa/kit/clock.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { InputLimits } from './input.ts'
import type { Path } from './paths.ts'
import type { Reply } from './replies.ts'

/** The peer, as a door sees it. `User` is who signed in, `Recipient` what the door made of a RCPT. */
export type DoorSession<User, Recipient> = {
  readonly id: string
  /** The peer, or the client that a trusted proxy names. */
  readonly ip: string
  /** The name from HELO or EHLO, or null. */
  helo: string | null
  isExtended: boolean
  tls: { protocol: string; cipher: string } | null
  user: User | null
  envelope: Envelope<Recipient> | null
}

export type Envelope<Recipient> = {
  /** Empty for the null sender. */
  readonly from: string
  readonly parameters: MailParameters
  readonly recipients: { readonly address: string; readonly parameters: RcptParameters; readonly value: Recipient }[]
}

export type MailParameters = {
  readonly size: number | null
  readonly is8bit: boolean
  readonly isUtf8: boolean
  readonly ret: 'full' | 'hdrs' | null
  readonly envid: string | null
  readonly requiresTls: boolean
  /** RFC 4865: not before then. */
  readonly hold: { readonly seconds: number } | { readonly until: Date } | null
}

export type RcptParameters = { readonly notify: string[] | null; readonly orcpt: string | null }

/** The handlers of a listener. They throw `Refused` to say no. */
export type Door<User, Recipient> = {
  readonly name: 'mx' | 'submission'
  readonly hostname: string
  /** Announced as SIZE in the answer to EHLO. */
  readonly maxMessageBytes: number
  readonly limits: SessionLimits
  readonly log: Log
  readonly clock: Clock
  /** Authenticates a sender; null: everybody may send. Called only over TLS. */
  readonly auth:
    | ((session: DoorSession<User, Recipient>, name: string, password: string) => Promise<User | Reply>)
    | null
  /** Seconds that a message may be held back, or 0 when that is not offered (RFC 4865). */
  readonly maxHoldSeconds: number
  mail(session: DoorSession<User, Recipient>, path: Path, parameters: MailParameters): Promise<void>
  rcpt(session: DoorSession<User, Recipient>, path: Path, envelope: Envelope<Recipient>): Promise<Accepted<Recipient>>
  /** Resolves with the answer once the message is safe. It may stop reading early by throwing. */
  message(
    session: DoorSession<User, Recipient>,
    envelope: Envelope<Recipient>,
    content: AsyncIterable<Buffer>,
  ): Promise<Taken>
}

export type Accepted<Recipient> = { readonly address: string; readonly value: Recipient }

/** The answer to a message. `onAcknowledged` is called when the client shows that it has read it. */
export type Taken = { readonly reply: Reply; readonly onAcknowledged?: () => void }

export type SessionLimits = InputLimits & {
  recipients: number
  /** Errors after which answers come later, and after which the connection ends. */
  softErrors: number
  hardErrors: number
  /** How much later. */
  tarpitMs: number
  /** The greeting waits this long for those who do not wait for it. */
  greetingMs: number
  handshakeMs: number
  /** A peer that does not read what we answer. */
  writeMs: number
  /** Until the first command. */
  firstMs: number
  /** Messages on one connection. */
  messages: number
  /** Commands that do nothing (NOOP, RSET, HELP) before they count as errors. */
  idleCommands: number
}

export const defaultSessionLimits: SessionLimits = {
  idleMs: 300_000,
  commandMs: 20_000,
  lineBytes: 2_048,
  bytesPerSecond: 500,
  rateWindowMs: 20_000,
  messageMs: 3_600_000,
  recipients: 100,
  softErrors: 5,
  hardErrors: 20,
  tarpitMs: 1_000,
  greetingMs: 100,
  handshakeMs: 20_000,
  writeMs: 30_000,
  firstMs: 30_000,
  messages: 1_000,
  idleCommands: 100,
}
