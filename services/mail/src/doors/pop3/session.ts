import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../config.ts'
import type { Credentials, LiveSignIns } from '../../hosting/addresses/addresses.ts'
import type { Tables } from '../../tables.ts'
import { drained } from '../../wire/listen/listen.ts'
import type { Input } from '../../wire/smtp/smtp.ts'
import type { Drop } from './drop.ts'
import type { Pop3Limits } from './limits.ts'

/** What the POP3 door shares in a process. */
export type Pop3Parts = {
  readonly database: Database<Tables>
  readonly blobs: Blobs
  readonly log: Log
  readonly clock: Clock
  readonly credentials: Credentials
  readonly live: LiveSignIns
  readonly config: Pick<Config, 'hostname' | 'imapMaxPerUser'>
}

/** One client, and what it said so far. */
export type Pop3Session = {
  readonly parts: Pop3Parts
  readonly limits: Pop3Limits
  readonly ip: string
  /** The service stops, or what was signed in with does not hold any more. */
  readonly ending: AbortSignal
  /** Ends it for that second reason. */
  readonly end: () => void
  /** STLS replaces both. */
  socket: Socket
  input: Input
  /** Null when there is no TLS to be had, or it has begun already. */
  startTls: ((socket: Socket) => Promise<TLSSocket>) | null
  /** The name that USER gave. */
  user: string | null
  /** The maildrop that PASS or AUTH opened: the TRANSACTION state of RFC 1939. */
  drop: Drop | null
  /** Counts the connection out again. */
  leave: () => void
  failures: number
  badCommands: number
  commands: number
}

/** The session is over: the peer has disconnected, doesn't read, or got the last reply. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}

const MAX_HELD = 16_384

/**
 * Sends bytes; waits when the peer has much to read. RFC 2449 §6.6: answers to commands that came together leave together.
 */
export const write = async ({ socket, input, limits }: Pop3Session, bytes: string | Buffer): Promise<void> => {
  if (socket.destroyed || !socket.writable) throw new ConnectionClosed('the peer has gone')
  const isLast = input.waiting() === 0 || socket.writableLength > MAX_HELD
  if (!isLast && socket.writableCorked === 0) socket.cork()
  const hasRoom = socket.write(bytes)
  while (isLast && socket.writableCorked > 0) socket.uncork()
  if (hasRoom || !isLast) return
  try {
    await drained(socket, limits.writeMs)
  } catch (error) {
    socket.destroy()
    throw new ConnectionClosed('the peer does not read', { cause: error })
  }
  if (socket.destroyed) throw new ConnectionClosed('the peer has gone')
}

/** Answers of one line. */
export const ok = (text = ''): string => (text === '' ? '+OK\r\n' : `+OK ${text}\r\n`)
export const err = (text: string): string => `-ERR ${text}\r\n`

/** The last word. */
export const close = async (session: Pop3Session, answer: string): Promise<never> => {
  await write(session, answer)
  throw new ConnectionClosed('closed by us')
}
