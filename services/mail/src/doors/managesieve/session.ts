import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Credentials, LiveSignIns } from '../../hosting/addresses/addresses.ts'
import type { SignIn } from '../../principal.ts'
import type { MailDatabase } from '../../store/store.ts'
import type { Input } from '../../wire/smtp/smtp.ts'
import type { ManageSieveLimits } from './limits.ts'
import type { Argument } from './read-command.ts'
import type { Reply } from './replies.ts'

export type ManageSieveParts = {
  readonly database: MailDatabase
  readonly credentials: Pick<Credentials, 'check'>
  readonly live: Pick<LiveSignIns, 'enter'>
  readonly clock: Clock
  readonly log: Log
}

/** A connection in conversation. */
export type ManageSieveSession = {
  readonly parts: ManageSieveParts
  readonly limits: ManageSieveLimits
  readonly ip: string
  /** Ends the conversation: the service stops, or the sign-in does not hold any more. */
  readonly ending: AbortSignal
  end(): void
  /** STARTTLS replaces both. */
  socket: Socket
  input: Input
  /** Null: there is no TLS to be had, or it has begun. */
  startTls: ((socket: Socket) => Promise<TLSSocket>) | null
  /** Passwords are taken: over TLS, or where there is none at all. */
  isSecure: boolean
  signIn: SignIn | null
  /** To be called when the sign-in ends. */
  leave: (() => void) | null
  errors: number
  failures: number
}

export type Command = {
  readonly name: string
  /** Works before somebody signed in too. */
  readonly isOpen?: boolean
  /** The types of the arguments; those after the `?` are optional. */
  readonly takes: readonly ('string' | 'number' | '?')[]
  run(session: ManageSieveSession, args: readonly Argument[]): Promise<Reply>
}

/** The peer has gone, or does not read. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}
