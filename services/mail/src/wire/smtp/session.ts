import type { Socket } from 'node:net'
import { newId } from '@stoa/kit/ids.ts'
import type { Connection } from '../listen/listen.ts'
import { runCommand } from './commands.ts'
import type { Door, Session } from './door.ts'
import { type Line, type LineProblem, readFrom } from './input.ts'
import { closing, Refused, type Reply, reply } from './replies.ts'
import { ConnectionClosed, send, type Talk } from './talk.ts'

/** Talks SMTP with one peer until either side ends it. Never throws; the socket is closed when it resolves. */
export const runSession = async <User, Recipient>(
  connection: Connection,
  door: Door<User, Recipient>,
  stopping: AbortSignal,
): Promise<void> => {
  const { socket, early } = connection
  const input = readFrom(socket, stopping)
  input.putBack(early)
  const talk: Talk<User, Recipient> = {
    door,
    session: sessionOf(connection),
    stopping,
    socket,
    input,
    startTls: connection.startTls,
    errors: 0,
    idleCommands: 0,
    messages: 0,
    recipientsTried: 0,
    onAcknowledged: null,
  }
  try {
    await greet(talk)
    for (;;) await turn(talk)
  } catch (error) {
    if (!(error instanceof ConnectionClosed))
      door.log.error({ err: error, session: talk.session.id }, 'an SMTP session failed')
  } finally {
    await end(talk.socket, door.limits.writeMs)
  }
}

const sessionOf = <User, Recipient>({ ip, tls }: Connection): Session<User, Recipient> => ({
  id: newId(),
  ip,
  helo: null,
  isExtended: false,
  tls,
  user: null,
  envelope: null,
})

const greet = async <User, Recipient>(talk: Talk<User, Recipient>): Promise<void> => {
  const { door, input, stopping } = talk
  if (stopping.aborted) return send(talk, STOPPING)
  // RFC 5321 §4.3.1: a client waits for the greeting. Programs that only spray mail do not.
  if (input.waiting() > 0 || (door.limits.greetingMs > 0 && (await input.hasSome(door.limits.greetingMs))))
    return send(talk, closing(554, '5.5.0', 'Client spoke before the greeting'))
  await send(talk, { code: 220, status: null, text: `${door.hostname} ESMTP` })
}

const turn = async <User, Recipient>(talk: Talk<User, Recipient>): Promise<void> => {
  const { limits } = talk.door
  const line = await talk.input.line(talk.session.helo === null ? { ...limits, idleMs: limits.firstMs } : limits)
  if (line.kind === 'problem') return giveUp(talk, line.problem)
  talk.onAcknowledged?.()
  talk.onAcknowledged = null
  const said = await answer(talk, line)
  if (said) await send(talk, said)
}

const answer = async <User, Recipient>(
  talk: Talk<User, Recipient>,
  { bytes }: Extract<Line, { kind: 'line' }>,
): Promise<Reply | null> => {
  try {
    return await runCommand(talk, bytes)
  } catch (error) {
    if (error instanceof Refused) return error.reply
    if (error instanceof ConnectionClosed) throw error
    talk.door.log.error({ err: error, session: talk.session.id }, 'an SMTP command failed')
    return reply(451, '4.3.0', 'Try again later')
  }
}

const STOPPING: Reply = closing(421, '4.3.2', 'The server is shutting down, try again later')

const giveUp = <User, Recipient>(talk: Talk<User, Recipient>, problem: LineProblem): Promise<void> => {
  switch (problem) {
    case 'closed':
      throw new ConnectionClosed('the peer has gone')
    case 'stopping':
      return send(talk, STOPPING)
    case 'idle':
    case 'slow':
      return send(talk, closing(421, '4.4.2', 'Timed out, closing the connection'))
    case 'bare':
      return send(talk, closing(550, '5.5.2', 'Lines must end with CR LF, without other CR or LF'))
    case 'too_long':
      return send(talk, { ...reply(500, '5.5.2', 'Line too long'), closes: true })
  }
}

/** Lets the last words arrive: closing with bytes unread would make the system drop them. */
const end = async (socket: Socket, ms: number): Promise<void> => {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, LINGER_MS))
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.on('error', () => undefined)
    socket.end()
    socket.resume()
  })
  socket.destroy()
}

/** How long we wait for a peer to close its side too. */
const LINGER_MS = 2_000
