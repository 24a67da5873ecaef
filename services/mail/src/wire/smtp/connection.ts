import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { drained } from '../listen/listen.ts'
import type { Door, DoorSession, SessionLimits } from './door.ts'
import type { Input } from './input.ts'
import { type Reply, replyText } from './replies.ts'

/** A connection in conversation. */
export type SmtpConnection<User, Recipient> = {
  readonly door: Door<User, Recipient>
  readonly session: DoorSession<User, Recipient>
  readonly stopping: AbortSignal
  /** STARTTLS replaces both. */
  socket: Socket
  input: Input
  /** Gives the TLS side of the connection, or null when there is none to be had. */
  startTls: ((socket: Socket) => Promise<TLSSocket>) | null
  errors: number
  idleCommands: number
  messages: number
  /** RCPT commands of this message, refused ones too. */
  recipientsTried: number
  /** Called when the client continues after our reply. */
  onAcknowledged: (() => void) | null
}

/** The parts of a connection that responses need. */
type Wire = {
  readonly input: Pick<Input, 'waiting'>
  readonly door: { readonly limits: SessionLimits }
  readonly stopping: AbortSignal
  readonly socket: Socket
  errors: number
}

/** The peer has gone, or does not read. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}

/** Sends a reply, late when this peer makes many errors. */
export const send = async (connection: Wire, reply: Reply): Promise<void> => {
  const { limits } = connection.door
  if (reply.code >= 500) connection.errors += 1
  if (reply.code >= 500 && connection.errors > limits.softErrors)
    await sleep(limits.tarpitMs, undefined, { signal: connection.stopping }).catch(() => undefined)
  const isLast = connection.errors >= limits.hardErrors && reply.code >= 500
  await write(connection, replyText(reply) + (isLast ? replyText(TOO_MANY_ERRORS) : ''))
  if (isLast || reply.closes) throw new ConnectionClosed('closed by us')
}

const TOO_MANY_ERRORS: Reply = {
  code: 421,
  status: '4.7.0',
  text: 'Too many errors, closing the connection',
  closes: true,
}

const MAX_HELD = 8_192

/** RFC 2920 §3.2: answers to commands that came together leave together. */
export const write = async ({ socket, door, input }: Wire, text: string): Promise<void> => {
  if (socket.destroyed || !socket.writable) throw new ConnectionClosed('the peer has gone')
  const isLast = input.waiting() === 0 || socket.writableLength > MAX_HELD
  if (!isLast && socket.writableCorked === 0) socket.cork()
  const hasRoom = socket.write(text)
  while (isLast && socket.writableCorked > 0) socket.uncork()
  if (hasRoom || !isLast) return
  try {
    await drained(socket, door.limits.writeMs)
  } catch (error) {
    socket.destroy()
    throw new ConnectionClosed('the peer does not read', { cause: error })
  }
  if (socket.destroyed) throw new ConnectionClosed('the peer has gone')
}
